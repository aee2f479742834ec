import { randomInt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { listPath, serviceApiPath } from '@/lib/routes'
import { accountsOf, goTo } from './desk'
import { expect, test } from './fixtures'
import { expectSoundAt } from './look'

const open = (page: Page, search: Record<string, string> = {}) => goTo(page, listPath('sandbox', 'payments', search))

test('all that matches is written as promised, with times in UTC and in the reader’s zone', async ({ signIn }) => {
  const page = await signIn('operator')
  const [, second] = await accountsOf(page)
  await open(page, { account: second?.id ?? '', tab: 'returned', min_amount: '150000' })
  const query = 'payment_status=failed,reversed&min_amount=150000&page_size=1'
  const answer = await page.request.get(serviceApiPath('sandbox', '/payments', query, second?.id))
  const count = ((await answer.json()) as { meta: { total_items: number } }).meta.total_items
  expect(count).toBeGreaterThan(1)
  await page.getByRole('button', { name: 'Export CSV…' }).click()
  await expect(page.getByText(`${count} payments will be written, about`)).toBeVisible()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Write the file' }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^payments-sandbox-\d{4}-\d\d-\d\d\.csv$/)
  await expect(page.getByText(`${count} payments written and saved, as promised.`)).toBeVisible()
  const text = (await readFile(await file.path())).toString('utf8')
  expect(text).toContain('created_at_utc,created_at America/New_York,')
  const states = [...text.matchAll(/^[0-9a-f-]{36},(?:charge|payout),(\w+),/gm)].map(([, state]) => state)
  expect(states).toHaveLength(count)
  expect(new Set(states)).toEqual(new Set(['failed', 'reversed']))
  const [, utc = '', local = ''] = /(\d{4}-\d\d-\d\dT[\d:.]+Z),(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d),/.exec(text) ?? []
  expect([4, 5]).toContain(Math.round((Date.parse(utc) - Date.parse(`${local.replace(' ', 'T')}Z`)) / 3_600_000))
  await expectSoundAt(page, 'narrow')
})

test('an export that breaks off saves no file and says so; so does one that is cancelled', async ({ signIn, sandbox }) => {
  const page = await signIn('operator')
  const saved: string[] = []
  page.on('download', (file) => saved.push(file.suggestedFilename()))
  // No payment is as large as that: it leaves none out and tells this export from others.
  const max_amount = String(2_000_000_000 + randomInt(100_000_000))
  const thirdPage = { operation: 'payments.search', match: max_amount, count: null, skip: 2 }
  await open(page, { tab: 'charges', max_amount })
  await page.getByRole('button', { name: 'Export CSV…' }).click()
  const write = page.getByRole('button', { name: 'Write the file' })
  // The count and the first thousand come; the next do not.
  await sandbox.fault({ ...thirdPage, kind: 'status', status: 500 })
  await write.click()
  await expect(page.getByRole('alert').filter({ hasText: 'The export broke off, so no file was saved.' })).toBeVisible()
  await sandbox.clearFaults()
  await sandbox.fault({ ...thirdPage, kind: 'delay', ms: 20_000 })
  await write.click()
  await expect(page.getByText(/^1,000 of [\d,]+$/)).toBeVisible()
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Cancelled. No file was saved.' })).toBeVisible()
  expect(saved).toEqual([])
})

test('a viewer sees the export closed, and why', async ({ signIn }) => {
  const page = await signIn('viewer')
  await open(page)
  const button = page.getByRole('button', { name: 'Export CSV…' })
  await expect(button).toBeDisabled()
  await expect(button).toHaveAccessibleDescription('Only an operator, a reviewer or an admin can export.')
})
