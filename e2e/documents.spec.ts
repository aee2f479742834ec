import type { Page } from '@playwright/test'
import { goodDocxs } from '@/tests/corpus/docx-good'
import { goodPngs } from '@/tests/corpus/png'
import { chooseFiles, createPdfFile, getFileRow, openPayout, uploadFiles } from './desk'
import { expect, test } from './fixtures'
import { expectAccessible } from './look'

const pngFile = {
  name: 'scan.png',
  mimeType: 'image/png',
  buffer: Buffer.from(goodPngs[0]?.make() ?? []),
}
const docxFile = {
  name: 'agreement.docx',
  mimeType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  buffer: Buffer.from(goodDocxs[0]?.make() ?? []),
}

const getDocumentsSection = (page: Page) =>
  page.getByRole('article', { name: 'Payout' }).locator('section').filter({ hasText: 'Documents' })
const getViewer = (page: Page, name: string) => page.getByRole('dialog', { name })

const expectShownImage = async (page: Page, name: string) =>
  expect
    .poll(() =>
      getViewer(page, name)
        .getByRole('img', { name })
        .evaluate((image: HTMLImageElement) => image.naturalWidth),
    )
    .toBeGreaterThan(0)

/** The browser of the tests has no PDF viewer, so this makes the page believe that it has one. */
const claimPdfViewer = (page: Page) =>
  page.addInitScript(() =>
    Object.defineProperty(navigator, 'pdfViewerEnabled', { get: () => true }),
  )

test('an image is viewed before the upload, and a viewer opens the same document later', async ({
  signIn,
  sandbox,
}) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await openPayout(page, payout)
  await chooseFiles(page, [pngFile])
  const chosenFileButton = getFileRow(page, 'scan.png').getByRole('button', { name: 'View' })
  await chosenFileButton.click()
  await expectShownImage(page, 'scan.png')
  await page.keyboard.press('Escape')
  await expect(getViewer(page, 'scan.png')).toHaveCount(0)
  await expect(chosenFileButton).toBeFocused()
  expect(await sandbox.journal(payout.id)).toEqual([])
  await uploadFiles(page, [])
  await expect(getFileRow(page, 'scan.png')).toContainText('attached')

  const viewerPage = await signIn('viewer')
  await openPayout(viewerPage, payout)
  const viewButton = getDocumentsSection(viewerPage).getByRole('button', { name: 'View scan.png' })
  await viewButton.click()
  await expectShownImage(viewerPage, 'scan.png')
  await expectAccessible(viewerPage)
  await viewerPage.keyboard.press('Escape')
  await expect(getViewer(viewerPage, 'scan.png')).toHaveCount(0)
  await expect(viewButton).toBeFocused()
})

test('a PDF is shown in the frame for PDFs, and its file comes from Paydesk’s copy', async ({
  signIn,
  sandbox,
}) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await claimPdfViewer(page)
  await openPayout(page, payout)
  await uploadFiles(page, [createPdfFile('proof.pdf')])
  await expect(getFileRow(page, 'proof.pdf')).toContainText('attached')
  const documentResponse = page.waitForResponse(/\/desk\/documents\/[0-9a-f-]{36}$/)
  await getDocumentsSection(page)
    .getByRole('button', { name: 'View proof.pdf' })
    .and(page.locator(':not([aria-label="Files"] *)'))
    .click()
  expect((await documentResponse).headers()['content-type']).toBe('application/pdf')
  const pdfFrame = getViewer(page, 'proof.pdf').frameLocator('iframe[title="proof.pdf"]')
  await expect(pdfFrame.locator('iframe[title="Document"]')).toHaveAttribute('src', /^blob:/)
})

test('a Word document is downloaded, and says that it cannot be shown', { tag: '@full' }, async ({
  signIn,
  sandbox,
}) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await openPayout(page, payout)
  await chooseFiles(page, [docxFile])
  await getFileRow(page, 'agreement.docx').getByRole('button', { name: 'View' }).click()
  const viewer = getViewer(page, 'agreement.docx')
  await expect(viewer).toContainText('Word documents can’t be shown here.')
  const download = page.waitForEvent('download')
  await viewer.getByRole('button', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toBe('agreement.docx')
})

test('a document that cannot be read says why, and can be tried again', { tag: '@full' }, async ({
  signIn,
  sandbox,
}) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await openPayout(page, payout)
  await uploadFiles(page, [pngFile])
  await expect(getFileRow(page, 'scan.png')).toContainText('attached')
  await page.getByRole('button', { name: 'Close upload' }).click()
  await page.context().setOffline(true)
  await getDocumentsSection(page).getByRole('button', { name: 'View scan.png' }).click()
  const viewer = getViewer(page, 'scan.png')
  await expect(viewer.getByRole('alert')).toContainText('Paydesk did not answer')
  await page.context().setOffline(false)
  await viewer.getByRole('button', { name: 'Try again' }).click()
  await expectShownImage(page, 'scan.png')
})
