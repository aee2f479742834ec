import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { SearchParamsContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import type { ReactNode } from 'react'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import { PreferencesProvider } from '@/components/kits/layout/preferences-context'
import { DocumentProof } from '@/components/payments/record/document-proof'
import type { PageContext } from '@/lib/client/page-context'
import { defaultPreferences } from '@/lib/client/preferences'
import { clearQueries } from '@/lib/client/query/client'
import type { ProofDocument } from '@/lib/operations/documents'
import { ProofDocuments } from './proof-documents'

const paymentId = '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f'
const payment = `payouts/${paymentId}`
const context = {
  environment: 'sandbox',
  scope: null,
  account: null,
  accounts: [],
  accountsError: null,
  person: { id: 'p', name: 'Rhea', email: 'rhea@paydesk.test', roles: ['reviewer'] },
} as unknown as PageContext

const storedDocument: ProofDocument = {
  id: '018f4c1e-7a3b-7c2d-9e10-000000000001',
  name: 'agreement.docx',
  size: 2048,
  sha256: 'a'.repeat(64),
  uploaded_by: 'Omar Operator',
  uploaded_at: '2026-11-20T10:00:00.000Z',
  proof: null,
  copy: 'kept',
  opened_at: null,
}

let documents: ProofDocument[] = []
let requestedPaths: string[] = []
let server: Server
beforeAll(async () => {
  server = createServer((incoming, response) => {
    requestedPaths.push(incoming.url ?? '')
    if (incoming.url?.endsWith(storedDocument.id)) {
      documents = [{ ...storedDocument, opened_at: '2026-11-29T10:00:00.000Z' }]
      return response.writeHead(200, { 'content-type': 'application/octet-stream' }).end('bytes')
    }
    const data = incoming.url?.includes('/actions') ? [] : documents
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ meta: { request_id: 'r' }, data }))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { happyDOM } = window as unknown as { happyDOM: { setURL: (url: string) => void } }
  happyDOM.setURL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
})
afterAll(() => server.close())
beforeEach(() => {
  documents = [storedDocument]
  requestedPaths = []
  clearQueries()
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const renderInPage = (content: ReactNode) =>
  render(
    <SearchParamsContext value={new URLSearchParams()}>
      <PageContextProvider context={context}>
        <PreferencesProvider initial={defaultPreferences} renderedAt="2026-11-29T12:00:00Z">
          {content}
        </PreferencesProvider>
      </PageContextProvider>
    </SearchParamsContext>,
  )

test('a document shows that the person has opened it, once they have', async () => {
  renderInPage(<ProofDocuments payment={payment} />)
  const item = await screen.findByRole('listitem')
  expect(item.textContent).toContain('uploaded by Omar Operator')
  expect(item.textContent).toContain('You have not opened it yet')
  await act(async () => fireEvent.click(within(item).getByRole('button', { name: /^View/ })))
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  const downloadButton = await screen.findByRole('button', { name: 'Download' })
  await act(async () => fireEvent.click(downloadButton))
  await screen.findByText(/^You opened it/)
  expect(requestedPaths).toContain(`/api/sandbox/desk/documents/${storedDocument.id}`)
})

test.each([
  ['not_kept', 'Paydesk kept no copies when this document was uploaded.'],
  ['expired', 'Paydesk deleted its copy at the end of the retention period.'],
  ['erased', 'Paydesk deleted its copy with the customer’s data.'],
] as const)('a document without a copy says why: %s', async (copy, text) => {
  documents = [{ ...storedDocument, copy }]
  renderInPage(<ProofDocuments payment={payment} />)
  await screen.findByText(text)
  expect(screen.queryByRole('button')).toBeNull()
})

test('a payment without uploads says so, and another target shows nothing', async () => {
  documents = []
  renderInPage(<ProofDocuments payment={payment} />)
  await screen.findByText('No authorization proof was uploaded in Paydesk.')
  cleanup()
  renderInPage(<ProofDocuments payment={`customers/${paymentId}`} />)
  expect(screen.queryByRole('heading')).toBeNull()
})

test('a document that was not uploaded in Paydesk says that it cannot be opened', async () => {
  const serviceDocument = {
    document_id: 'd1',
    document_name: 'elsewhere.pdf',
    document_type: 'application/pdf',
    document_size: 10,
    uploaded_at: '2026-11-20T10:00:00.000Z',
  }
  renderInPage(<DocumentProof id="d1" documents={[serviceDocument]} target={payment} />)
  await screen.findByText('Not uploaded in Paydesk, so it can’t be opened here.')
})
