import type { Page } from '@playwright/test'
import { chooseFiles, decisionOf, fileRow, openPayout, pdf } from './desk'
import { expect, test } from './fixtures'

const mebibyte = 1024 * 1024

test('of several files the bad ones say exactly why, the others go', async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await openPayout(page, payout)
  await chooseFiles(page, [
    pdf('one.pdf'),
    pdf('two.pdf'),
    { ...pdf('photo.png'), mimeType: 'image/png' },
    { name: 'empty.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(0) },
    { name: 'tool.exe', mimeType: 'application/octet-stream', buffer: Buffer.from('MZ') },
  ])
  await expect(fileRow(page, 'one.pdf')).toContainText('attached')
  await expect(fileRow(page, 'two.pdf')).toContainText('attached')
  await expect(fileRow(page, 'photo.png')).toContainText('The name ends in .png but its content is a PDF.')
  await expect(fileRow(page, 'empty.pdf')).toContainText('The file is empty (0 bytes).')
  await expect(fileRow(page, 'tool.exe')).toContainText('.exe files are not accepted. Save it as PDF, PNG, JPG, DOC or DOCX.')
  expect((await sandbox.journal(payout.id)).map((row) => row.operation)).toEqual(['payouts.authorize', 'payouts.authorize'])
  await fileRow(page, 'tool.exe').getByRole('button', { name: 'Remove tool.exe' }).click()
  await expect(fileRow(page, 'tool.exe')).toHaveCount(0)
})

test('10 MiB to the byte passes, one byte more says how far it is over and is not sent', async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await openPayout(page, payout)
  await chooseFiles(page, [pdf('full.pdf', 10 * mebibyte), pdf('over.pdf', 10 * mebibyte + 1)])
  await expect(fileRow(page, 'over.pdf')).toContainText('1 bytes over the limit of 10 MB.')
  await expect(fileRow(page, 'full.pdf')).toContainText('attached', { timeout: 15_000 })
  expect(await sandbox.journal(payout.id)).toHaveLength(1)
})

test('a document of the same name and size is only attached after a second look', async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await openPayout(page, payout)
  await chooseFiles(page, [pdf('agreement.pdf')])
  await expect(page.getByText('Document in. Release now?')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Checks' }).getByRole('listitem').filter({ hasText: 'Proof' })).toContainText('1')
  await chooseFiles(page, [pdf('agreement.pdf')])
  const second = fileRow(page, 'agreement.pdf').last()
  await expect(second).toContainText('A document of this name and size is attached already.')
  expect(await sandbox.journal(payout.id)).toHaveLength(1)
  await second.getByRole('button', { name: 'Attach all the same agreement.pdf' }).click()
  await expect(second).toContainText('attached')
  await expect.poll(() => sandbox.journal(payout.id)).toHaveLength(2)
})

test('a slow line shows progress, and a cancelled file is not attached', async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await openPayout(page, payout)
  const narrow = await lineOf(page)
  await narrow(400 * 1024)
  await chooseFiles(page, [pdf('slow.pdf', 8 * mebibyte)])
  await expect(page.getByRole('progressbar', { name: 'Sending slow.pdf' })).toBeVisible()
  await expect(fileRow(page, 'slow.pdf')).toContainText(/sending [1-9]\d? %/)
  await fileRow(page, 'slow.pdf').getByRole('button', { name: 'Cancel slow.pdf' }).click()
  await expect(fileRow(page, 'slow.pdf')).toContainText('cancelled')
  expect(await sandbox.journal(payout.id)).toEqual([])

  await narrow(-1)
  await fileRow(page, 'slow.pdf').getByRole('button', { name: 'Try again slow.pdf' }).click()
  await expect(fileRow(page, 'slow.pdf')).toContainText('attached', { timeout: 15_000 })
  expect(await sandbox.journal(payout.id)).toHaveLength(1)
})

test('an upload whose outcome is unknown is tried again under the same key and attached once', async ({ signIn, sandbox }) => {
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
  await chooseFiles(page, [pdf('lost.pdf')])
  await expect(fileRow(page, 'lost.pdf')).toContainText('outcome unknown', { timeout: 15_000 })
  await expect(fileRow(page, 'lost.pdf')).toContainText('so it cannot be attached twice')
  await sandbox.clearFaults()
  await expect(decisionOf(page).getByRole('button', { name: 'Release…' })).toBeEnabled({ timeout: 15_000 })
  await fileRow(page, 'lost.pdf').getByRole('button', { name: 'Try again lost.pdf' }).click()
  await expect(fileRow(page, 'lost.pdf')).toContainText('attached')
  const writes = await sandbox.writes(payout.id)
  expect(new Set(writes.map((row) => row.idempotency_key)).size).toBe(1)
  expect(new Set(writes.map((row) => row.body_sha256)).size).toBe(1)
  expect(await sandbox.journal(payout.id)).toHaveLength(1)
})

test('a file the service refuses says why in its own line and leaves the others alone', async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await openPayout(page, payout)
  await sandbox.fault({ operation: 'payouts.authorize', match: payout.id, kind: 'status', status: 422 })
  await chooseFiles(page, [pdf('refused.pdf')])
  await expect(fileRow(page, 'refused.pdf')).toContainText('A planned fault of the sandbox.')
  await chooseFiles(page, [pdf('fine.pdf')])
  await expect(fileRow(page, 'fine.pdf')).toContainText('attached')
  await expect(fileRow(page, 'refused.pdf')).toContainText('refused')
})

/** The browser's line, to be narrowed to so many bytes a second; -1 is the full line. */
async function lineOf(page: Page): Promise<(bytes: number) => Promise<void>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  return async (uploadThroughput) => {
    await session.send('Network.emulateNetworkConditions', { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput })
  }
}
