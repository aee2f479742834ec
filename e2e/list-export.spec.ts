import { randomInt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { addressed } from '@/lib/operations/http'
import { deskPath, type ListResource, listPath, serviceApiPath } from '@/lib/routes'
import { accountsOf, goTo } from './desk'
import { expect, test } from './fixtures'
import { expectSoundAt } from './look'

// A person has one export under way at a time, and all of these are written by the same one: they go one after the other.
test.describe.configure({ mode: 'default' })

const open = (page: Page, search: Record<string, string> = {}) => goTo(page, listPath('sandbox', 'payments', search))
const button = (page: Page) => page.getByRole('button', { name: 'Export', exact: true })

test('all that matches is written as promised, each row with its account, with times in UTC and in the reader’s zone', async ({
  signIn,
}) => {
  const page = await signIn('operator')
  const [, second] = await accountsOf(page)
  await open(page, { account: second?.id ?? '', tab: 'returned', min_amount: '150000' })
  const query = 'payment_status=failed,reversed&min_amount=150000&page_size=1'
  const answer = await page.request.get(serviceApiPath('sandbox', '/payments', query, second?.id))
  const count = ((await answer.json()) as { meta: { total_items: number } }).meta.total_items
  expect(count).toBeGreaterThan(1)
  await button(page).focus()
  await page.keyboard.press('Enter')
  const start = page.getByRole('button', { name: `Export ${count} payments` })
  await expect(start).toBeFocused()
  await expect(page.getByText('A file holds at most 100,000.')).toBeVisible()
  const download = page.waitForEvent('download')
  await page.keyboard.press('Enter')
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^payments-sandbox-\d{4}-\d\d-\d\d\.csv$/)
  await expect(page.getByText(`${count} payments exported.`)).toBeVisible()
  const text = (await readFile(await file.path())).toString('utf8')
  expect(text).toContain('created_at_utc,created_at America/New_York,')
  const lines = [...text.matchAll(/^[0-9a-f-]{36},(?:charge|payout),(\w+),.*$/gm)]
  expect(lines).toHaveLength(count)
  expect(lines.filter(([line]) => !line.includes(`,${second?.id},`))).toEqual([])
  expect(new Set(lines.map(([, state]) => state))).toEqual(new Set(['failed', 'reversed']))
  const [, utc = '', local = ''] = /(\d{4}-\d\d-\d\dT[\d:.]+Z),(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d),/.exec(text) ?? []
  expect([4, 5]).toContain(Math.round((Date.parse(utc) - Date.parse(`${local.replace(' ', 'T')}Z`)) / 3_600_000))
  await expectSoundAt(page, 'narrow')
})

const lists: readonly ListResource[] = [
  'payouts',
  'charges',
  'paykeys',
  'customers',
  'accounts',
  'organizations',
  'representatives',
  'linked_bank_accounts',
  'funding_events',
  'requests',
  'deletions',
]

for (const list of lists) {
  test(`${list}: the whole list is exported with as many rows as the screen counts`, async ({ signIn }) => {
    const page = await signIn('operator')
    await goTo(page, listPath('sandbox', list, { tab: 'all' }))
    await button(page).click()
    const start = page.getByRole('button', { name: /^Export [\d,]+ / })
    // Whether any deletion was asked for is up to other tests.
    if (list === 'deletions' && (await start.getAttribute('aria-disabled')))
      return expect(start).toHaveAccessibleDescription('Nothing matches.')
    const download = page.waitForEvent('download')
    await start.click()
    expect((await download).suggestedFilename()).toContain(`${list.replaceAll('_', '-')}-sandbox-`)
    await expect(page.getByText(/ exported[.;]/)).toBeVisible()
  })
}

test('what is used of the limits and the open requests for others are exported from their page, two lines for each account', async ({
  signIn,
}) => {
  const page = await signIn('operator')
  const active = await page.request.get(serviceApiPath('sandbox', '/accounts', 'status=active&page_size=1'))
  const { data } = (await active.json()) as { data: { id: string; business_profile: { name: string } }[] }
  const [id, name] = [`acct_${data[0]?.id}`, data[0]?.business_profile.name]
  await goTo(page, deskPath('sandbox', '/limits', { account: id }))
  const exportOf = async (section: string, start: string) => {
    await page.getByRole('region', { name: section }).getByRole('button', { name: 'Export', exact: true }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: start }).click()
    const text = (await readFile(await (await download).path())).toString('utf8')
    await expect(page.getByText(/ exported\./)).toBeVisible()
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    return text.trim().split('\r\n')
  }
  const [head = '', ...limits] = await exportOf('Accounts', 'Export limits')
  expect(head).toContain('monthly_amount_limit,monthly_amount_used')
  expect(limits).toHaveLength(2)
  for (const line of limits) expect(line).toContain(`${id},${name}`)
  const [requestHead = ''] = await exportOf('Open requests', 'Export open limit requests')
  expect(requestHead).toContain('id,made_in,account,account_name,payment_type,state')
  await expectSoundAt(page, 'narrow')
})

test('an export that breaks off saves no file and says so; so does one that is canceled', async ({ signIn, sandbox }) => {
  const page = await signIn('operator')
  const saved: string[] = []
  page.on('download', (file) => saved.push(file.suggestedFilename()))
  // No payment is as large as that: it leaves none out and tells this export from others.
  const max_amount = String(2_000_000_000 + randomInt(100_000_000))
  // Whose the charges are is found once, so that the exports below ask for nothing but their pages.
  const headers = { 'sec-fetch-site': 'same-origin' }
  await (await page.request.get(addressed('charges.export', {}, { environment: 'sandbox' }).url, { headers })).body()
  const thirdPage = { operation: 'payments.search', match: max_amount, count: null, skip: 2 }
  await open(page, { tab: 'charges', max_amount })
  await button(page).click()
  const write = page.getByRole('button', { name: /^Export [\d,]+ payments$/ })
  // The count and the first thousand come; the next do not.
  await sandbox.fault({ ...thirdPage, kind: 'status', status: 500 })
  await write.click()
  await expect(page.getByRole('alert').filter({ hasText: 'The export broke off, so no file was saved.' })).toBeVisible()
  await sandbox.clearFaults()
  await sandbox.fault({ ...thirdPage, kind: 'delay', ms: 20_000 })
  await write.click()
  await expect(page.getByText(/^1,000 of [\d,]+$/)).toBeVisible()
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Canceled. No file was saved.' })).toBeVisible()
  expect(saved).toEqual([])
})

test('a viewer sees the export closed, and why', async ({ signIn }) => {
  const page = await signIn('viewer')
  await open(page)
  await expect(button(page)).toBeDisabled()
  await expect(button(page)).toHaveAccessibleDescription('Only an operator, a reviewer or an admin can export.')
})
