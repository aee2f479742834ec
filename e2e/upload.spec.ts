import type { Page } from '@playwright/test'
import {
  chooseFiles,
  createPdfFile,
  fillProof,
  getDecisionRegion,
  getFileRow,
  getUploadButton,
  openPayout,
  openPayoutList,
  retryUploadUntilAttached,
  uploadFiles,
  waitForPaymentData,
} from './desk'
import { expect, test } from './fixtures'
import { waitForHydration } from './wait-for-hydration'

const mebibyte = 1024 * 1024

test('of several files the invalid ones show their reason, and the others are uploaded', async ({
  signIn,
  sandbox,
}) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await openPayout(page, payout)
  await uploadFiles(page, [
    createPdfFile('one.pdf'),
    createPdfFile('two.pdf'),
    { ...createPdfFile('photo.png'), mimeType: 'image/png' },
    { name: 'empty.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(0) },
    { name: 'tool.exe', mimeType: 'application/octet-stream', buffer: Buffer.from('MZ') },
  ])
  await expect(getFileRow(page, 'one.pdf')).toContainText('attached')
  await expect(getFileRow(page, 'two.pdf')).toContainText('attached')
  await expect(getFileRow(page, 'photo.png')).toContainText(
    'The name ends in .png but its content is a PDF.',
  )
  await expect(getFileRow(page, 'empty.pdf')).toContainText('The file is empty (0 bytes).')
  await expect(getFileRow(page, 'tool.exe')).toContainText(
    '.exe files are not accepted. Save it as PDF, PNG, JPG, DOC or DOCX.',
  )
  expect((await sandbox.journal(payout.id)).map((row) => row.operation)).toEqual([
    'payouts.authorize',
    'payouts.authorize',
  ])
  await getFileRow(page, 'tool.exe').getByRole('button', { name: 'Remove tool.exe' }).click()
  await expect(getFileRow(page, 'tool.exe')).toHaveCount(0)
})

test('a key opens the upload with the focus, and Escape returns to the row', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await openPayoutList(page, { account: payout.account, search_text: payout.externalId })
  for (const key of ['j', 'Enter']) await page.keyboard.press(key)
  await waitForPaymentData(page)
  await page.keyboard.press('u')
  await expect(page.getByRole('button', { name: 'Choose files' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Choose files' })).toHaveCount(0)
  await expect(page.getByRole('row').getByRole('link').first()).toBeFocused()
})

test('Ctrl+Enter in the authorization uploads the files once', { tag: '@full' }, async ({
  signIn,
  sandbox,
}) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await openPayout(page, payout)
  await chooseFiles(page, [createPdfFile('one.pdf')])
  await expect(getFileRow(page, 'one.pdf')).toContainText('ready')
  await fillProof(page)
  await page.getByLabel('Authorized by').press('Enter')
  await expect(getFileRow(page, 'one.pdf')).toContainText('ready')
  await page.getByLabel('Authorized by').press('Control+Enter')
  await expect(getFileRow(page, 'one.pdf')).toContainText('attached')
  expect(await sandbox.journal(payout.id)).toHaveLength(1)
})

test('selecting files sends nothing, a removed file is never attached, and the results are in view', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await page.setViewportSize({ width: 390, height: 844 })
  await openPayout(page, payout)
  await getDecisionRegion(page).getByRole('button', { name: 'More' }).click()
  await chooseFiles(page, [
    createPdfFile('wrong.pdf'),
    createPdfFile('right.pdf'),
    createPdfFile('also.pdf', 3000),
  ])
  await expect(getFileRow(page, 'wrong.pdf')).toContainText('ready')
  await getFileRow(page, 'wrong.pdf')
    .getByRole('button', { name: 'Remove wrong.pdf' })
    .press('Enter')
  await expect(
    page.getByText('Adds them to this payout. Documents cannot be removed later.'),
  ).toBeVisible()
  expect(await sandbox.journal(payout.id)).toEqual([])
  await fillProof(page)
  await page.getByRole('button', { name: 'Upload 2 files' }).press('Enter')
  await expect(getFileRow(page, 'right.pdf')).toContainText('attached')
  await expect(getFileRow(page, 'also.pdf')).toContainText('attached')
  await expect(getFileRow(page, 'also.pdf')).toBeInViewport()
  await expect(page.getByText('Document uploaded. Release now?')).toBeVisible()
  expect(await sandbox.journal(payout.id)).toHaveLength(2)
})

test('an image is pasted from the clipboard', { tag: '@full' }, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await openPayout(page, payout)
  await getDecisionRegion(page).getByRole('button', { name: 'Upload proof' }).click()
  await expect(page.getByRole('group', { name: 'Files to upload' })).toBeVisible()
  await copyPictureToClipboard(page)
  await page.keyboard.press('ControlOrMeta+v')
  await expect(getFileRow(page, 'image.png')).toContainText('ready')
  expect(await sandbox.journal(payout.id)).toEqual([])
  await fillProof(page)
  await getUploadButton(page).click()
  await expect(getFileRow(page, 'image.png')).toContainText('attached')
  expect(await sandbox.journal(payout.id)).toHaveLength(1)
})

test('a file of exactly 10 MiB is sent, and one more byte is rejected with the excess', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await openPayout(page, payout)
  await uploadFiles(page, [
    createPdfFile('full.pdf', 10 * mebibyte),
    createPdfFile('over.pdf', 10 * mebibyte + 1),
  ])
  await expect(getFileRow(page, 'over.pdf')).toContainText('1 bytes over the limit of 10 MB.')
  await expect(getFileRow(page, 'full.pdf')).toContainText('attached', { timeout: 15_000 })
  expect(await sandbox.journal(payout.id)).toHaveLength(1)
})

test('a duplicate file needs a confirmation; another file of that name does not', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await openPayout(page, payout)
  const agreementFile = createPdfFile('agreement.pdf')
  await uploadFiles(page, [agreementFile])
  await expect(page.getByText('Document uploaded. Release now?')).toBeVisible()
  await expect(
    page.getByRole('list', { name: 'Checks' }).getByRole('listitem').filter({ hasText: 'Proof' }),
  ).toContainText('1')
  await page.reload()
  await waitForHydration(page)
  await chooseFiles(page, [
    { ...agreementFile, name: 'scan.pdf' },
    createPdfFile('agreement.pdf', 2000, 7),
    { ...createPdfFile('scan 2.pdf', 2000, 7) },
  ])
  const duplicateRow = getFileRow(page, 'scan.pdf')
  await expect(duplicateRow).toContainText(
    'The same file is already attached: agreement.pdf, uploaded by you',
  )
  await expect(page.getByRole('list', { name: 'Files' })).toContainText(
    'You already chose the same file: ',
  )
  await expect(getUploadButton(page)).toHaveText('Upload 1 file')
  await duplicateRow.getByRole('button', { name: 'Attach anyway scan.pdf' }).click()
  await fillProof(page)
  await getUploadButton(page).click()
  await expect(duplicateRow).toContainText('attached')
  await expect.poll(() => sandbox.journal(payout.id)).toHaveLength(3)
})

test('a slow upload shows progress, and a canceled file is not attached', { tag: '@full' }, async ({
  signIn,
  sandbox,
}) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await openPayout(page, payout)
  const setBandwidth = await createBandwidthLimiter(page)
  await setBandwidth(400 * 1024)
  await uploadFiles(page, [createPdfFile('slow.pdf', 8 * mebibyte)])
  await expect(page.getByRole('progressbar', { name: 'Sending slow.pdf' })).toBeVisible()
  await expect(getFileRow(page, 'slow.pdf')).toContainText(/sending [1-9]\d?%/)
  await getFileRow(page, 'slow.pdf').getByRole('button', { name: 'Cancel slow.pdf' }).click()
  await expect(getFileRow(page, 'slow.pdf')).toContainText('canceled')
  expect(await sandbox.journal(payout.id)).toEqual([])

  await setBandwidth(-1)
  await getFileRow(page, 'slow.pdf').getByRole('button', { name: 'Try again slow.pdf' }).click()
  await expect(getFileRow(page, 'slow.pdf')).toContainText('attached', { timeout: 15_000 })
  expect(await sandbox.journal(payout.id)).toHaveLength(1)
})

test('an upload with an unknown outcome is retried under the same key, with one effect', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await openPayout(page, payout)
  await sandbox.fault({
    operation: 'payouts.authorize',
    match: payout.id,
    kind: 'status',
    status: 503,
    body: 'none',
    at: 'after',
    count: null,
  })
  await uploadFiles(page, [createPdfFile('lost.pdf')])
  await expect(getFileRow(page, 'lost.pdf')).toContainText('outcome unknown', { timeout: 15_000 })
  await expect(getFileRow(page, 'lost.pdf')).toContainText('the file can’t be attached twice')
  await sandbox.clearFaults()
  await expect(getDecisionRegion(page).getByRole('button', { name: 'Release…' })).toBeEnabled({
    timeout: 15_000,
  })
  await retryUploadUntilAttached(page, 'lost.pdf')
  const writeRequests = await sandbox.writes(payout.id)
  expect(new Set(writeRequests.map((row) => row.idempotency_key)).size).toBe(1)
  expect(new Set(writeRequests.map((row) => row.body_sha256)).size).toBe(1)
  expect(await sandbox.journal(payout.id)).toHaveLength(1)
})

test('a file that the service refuses shows its reason and does not affect the others', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await openPayout(page, payout)
  await sandbox.fault({
    operation: 'payouts.authorize',
    match: payout.id,
    kind: 'status',
    status: 422,
  })
  await uploadFiles(page, [createPdfFile('refused.pdf')])
  await expect(getFileRow(page, 'refused.pdf')).toContainText('A planned fault of the sandbox.')
  await uploadFiles(page, [createPdfFile('fine.pdf')])
  await expect(getFileRow(page, 'fine.pdf')).toContainText('attached')
  await expect(getFileRow(page, 'refused.pdf')).toContainText('refused')
})

/** Copies a picture to the clipboard, as a screenshot tool does. */
async function copyPictureToClipboard(page: Page): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(async () => {
    const picture = new OffscreenCanvas(8, 8)
    picture.getContext('2d')?.fillRect(0, 0, 8, 8)
    await navigator.clipboard.write([
      new ClipboardItem({ 'image/png': picture.convertToBlob({ type: 'image/png' }) }),
    ])
  })
}

/**
 * Returns a function that limits the browser's upload bandwidth, in bytes per second. -1 removes
 * the limit.
 */
async function createBandwidthLimiter(page: Page): Promise<(bytes: number) => Promise<void>> {
  const cdpSession = await page.context().newCDPSession(page)
  await cdpSession.send('Network.enable')
  return async (uploadThroughput) => {
    await cdpSession.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    })
  }
}
