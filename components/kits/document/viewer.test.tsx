import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { CallError } from '@/lib/client/call-error'
import { QueryProvider } from '@/lib/client/query/provider'
import { ViewDocumentButton } from './view-button'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const makeFile = (type = '') => new Blob(['content'], { type })

async function openViewer(name: string, load: (signal: AbortSignal) => Promise<Blob>) {
  render(
    <QueryProvider person="p1">
      <ViewDocumentButton name={name} load={load} />
    </QueryProvider>,
  )
  const button = screen.getByRole('button', { name: `View ${name}` })
  button.focus()
  await act(async () => fireEvent.click(button))
  return { button, dialog: await screen.findByRole('dialog', { name }) }
}

test('an image is shown with the type of its name, whatever type the file states', async () => {
  const createdUrls = vi.spyOn(URL, 'createObjectURL')
  await openViewer('scan.png', async () => makeFile('text/html'))
  const image = await screen.findByRole('img', { name: 'scan.png' })
  expect(image.getAttribute('src')).toMatch(/^blob:/)
  expect(createdUrls.mock.calls.map(([file]) => (file as Blob).type)).toEqual(['image/png'])
})

test('the focus returns to the button when the dialog closes, and the file is released', async () => {
  const revokedUrls = vi.spyOn(URL, 'revokeObjectURL')
  const { button } = await openViewer('scan.png', async () => makeFile())
  const url = (await screen.findByRole('img', { name: 'scan.png' })).getAttribute('src')
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Close' })))
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(document.activeElement).toBe(button)
  expect(revokedUrls).toHaveBeenCalledWith(url)
})

test('while the file loads this is announced, and closing stops the request', async () => {
  const signals: AbortSignal[] = []
  await openViewer('scan.png', (signal) => {
    signals.push(signal)
    return new Promise(() => undefined)
  })
  expect((await screen.findByRole('status')).textContent).toContain('Opening the document')
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Close' })))
  expect(signals.map(({ aborted }) => aborted)).toEqual([true])
})

test.each([
  ['denied', new CallError('forbidden', 'You have no role in sandbox')],
  ['gone', new CallError('not_found', 'Paydesk deleted its copy with the customer’s data.')],
  ['offline', CallError.noAnswer(false)],
])('a file that is %s shows why, and can be tried again', async (_, error) => {
  const load = vi.fn().mockRejectedValueOnce(error).mockResolvedValueOnce(makeFile())
  await openViewer('scan.jpg', load)
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('The document could not be opened')
  expect(alert.textContent).toContain(error.message)
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Try again' })))
  await screen.findByRole('img', { name: 'scan.jpg' })
  expect(screen.queryByRole('alert')).toBeNull()
})

test('a Word document is fetched only when the person downloads it', async () => {
  const load = vi.fn().mockResolvedValue(makeFile())
  const clickedLinks: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(
    this: HTMLAnchorElement,
  ) {
    clickedLinks.push(this.download)
  })
  const { dialog } = await openViewer('agreement.docx', load)
  expect(dialog.textContent).toContain('Word documents can’t be shown here.')
  expect(load).not.toHaveBeenCalled()
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Download' })))
  await waitFor(() => expect(clickedLinks).toEqual(['agreement.docx']))
})

// This environment has no PDF viewer.
test('a PDF can be downloaded in a browser without a PDF viewer', async () => {
  const { dialog } = await openViewer('proof.pdf', async () => makeFile())
  expect(dialog.textContent).toContain('This browser can’t show PDFs here.')
  expect(screen.getByRole('button', { name: 'Download' })).toBeDefined()
})
