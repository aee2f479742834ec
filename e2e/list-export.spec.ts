import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { toApiRequestParts } from '@/lib/operations/http'
import { deskPath, type ListResource, listPath, serviceApiPath } from '@/lib/routes'
import { goTo, listAccounts } from './desk'
import { expect, test } from './fixtures'
import { expectAccessibleAt } from './look'
import { redirectRequests } from './request-faults'

// Runs in sequence. The server reads the pages of all exports in turn, so exports in parallel would
// delay each other.
test.describe.configure({ mode: 'default' })

const openPayments = (page: Page, search: Record<string, string> = {}) =>
  goTo(page, listPath('sandbox', 'payments', search))
const getExportButton = (page: Page) => page.getByRole('button', { name: 'Export', exact: true })

test('an export contains every match with its account, and times in UTC and in the person’s zone', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn('operator')
  const [, second] = await listAccounts(page)
  await openPayments(page, { account: second?.id ?? '', tab: 'returned', min_amount: '150000' })
  const query = 'payment_status=failed,reversed&min_amount=150000&page_size=1'
  const paymentsResponse = await page.request.get(
    serviceApiPath('sandbox', '/payments', query, second?.id),
  )
  const paymentCount = ((await paymentsResponse.json()) as { meta: { total_items: number } }).meta
    .total_items
  expect(paymentCount).toBeGreaterThan(1)
  await getExportButton(page).focus()
  await page.keyboard.press('Enter')
  const startButton = page.getByRole('button', { name: `Export ${paymentCount} payments` })
  await expect(startButton).toBeFocused()
  await expect(page.getByText('A file holds at most 100,000.')).toBeVisible()
  const downloadPromise = page.waitForEvent('download')
  await page.keyboard.press('Enter')
  const exportDownload = await downloadPromise
  expect(exportDownload.suggestedFilename()).toMatch(
    /^payments-sandbox-min-amount-1500\.00-payment-status-failed-reversed-\d{4}-\d\d-\d\d\.csv$/,
  )
  await expect(page.getByText(`${paymentCount} payments exported.`)).toBeVisible()
  const csvText = (await readFile(await exportDownload.path())).toString('utf8')
  expect(csvText).toContain('created_at_utc,created_at America/New_York,')
  const rowMatches = [...csvText.matchAll(/^[0-9a-f-]{36},(?:charge|payout),(\w+),.*$/gm)]
  expect(rowMatches).toHaveLength(paymentCount)
  expect(rowMatches.filter(([line]) => !line.includes(`,${second?.id},`))).toEqual([])
  expect(new Set(rowMatches.map(([, state]) => state))).toEqual(new Set(['failed', 'reversed']))
  const [, utcTime = '', localTime = ''] =
    /(\d{4}-\d\d-\d\dT[\d:.]+Z),(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d),/.exec(csvText) ?? []
  expect([4, 5]).toContain(
    Math.round((Date.parse(utcTime) - Date.parse(`${localTime.replace(' ', 'T')}Z`)) / 3_600_000),
  )
  await expectAccessibleAt(page, 'narrow')
})

const exportedResources: readonly ListResource[] = [
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

for (const list of exportedResources) {
  test(`${list}: the export has as many rows as the list counts`, { tag: '@full' }, async ({
    signIn,
  }) => {
    const page = await signIn('operator')
    await goTo(page, listPath('sandbox', list, { tab: 'all' }))
    await getExportButton(page).click()
    const exportStartButton = page.getByRole('button', { name: /^Export [\d,]+ / })
    // Only other tests create deletion requests, so this list may be empty. Its export is then
    // disabled.
    if (list === 'deletions' && (await exportStartButton.getAttribute('aria-disabled')))
      return expect(exportStartButton).toHaveAccessibleDescription('Nothing matches.')
    const exportDownloadPromise = page.waitForEvent('download')
    await exportStartButton.click()
    expect((await exportDownloadPromise).suggestedFilename()).toContain(
      `${list.replaceAll('_', '-')}-sandbox-`,
    )
    await expect(page.getByText(/ exported[.;]/)).toBeVisible()
  })
}

test('limit usage and open limit requests are exported with two rows for each account', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn('operator')
  const accountsResponse = await page.request.get(
    serviceApiPath('sandbox', '/accounts', 'status=active&page_size=1'),
  )
  const { data } = (await accountsResponse.json()) as {
    data: { id: string; business_profile: { name: string } }[]
  }
  const [id, name] = [`acct_${data[0]?.id}`, data[0]?.business_profile.name]
  await goTo(page, deskPath('sandbox', '/limits', { account: id }))
  const exportHomeSection = async (section: string, startButtonName: string) => {
    await page
      .getByRole('region', { name: section })
      .getByRole('button', { name: 'Export', exact: true })
      .click()
    const sectionDownloadPromise = page.waitForEvent('download')
    await page.getByRole('button', { name: startButtonName }).click()
    const sectionCsvText = (await readFile(await (await sectionDownloadPromise).path())).toString(
      'utf8',
    )
    await expect(page.getByText(/ exported\./)).toBeVisible()
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    return sectionCsvText.trim().split('\r\n')
  }
  const [headerLine = '', ...limits] = await exportHomeSection('Accounts', 'Export limits')
  expect(headerLine).toContain('monthly_amount_limit,monthly_amount_used')
  expect(limits).toHaveLength(2)
  for (const line of limits) expect(line).toContain(`${id},${name}`)
  const [requestHeaderLine = ''] = await exportHomeSection(
    'Open requests',
    'Export open limit requests',
  )
  expect(requestHeaderLine).toContain('id,made_in,account,account_name,payment_type,state')
  await expectAccessibleAt(page, 'narrow')
})

/**
 * Starts a server that announces an export of 2,000 rows and sends 1,000 of them. Then it
 * disconnects, or sends nothing more.
 */
async function startBrokenExportServer(ending: 'breaks off' | 'goes on') {
  const server = createServer((_, response) => {
    response.writeHead(200, {
      'content-type': 'text/csv',
      'export-count': '2000',
      'content-disposition': 'attachment; filename="payments.csv"',
    })
    const csvRows = Array.from({ length: 1000 }, (__, at) => `${at},x,y\n`).join('')
    response.write(`a,b,c\n${csvRows}`, () => ending === 'breaks off' && response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url, stop }
}

test('an interrupted or canceled export saves no file and shows a message', {
  tag: '@full',
}, async ({ signIn, started }) => {
  const page = await signIn('operator')
  const savedFileNames: string[] = []
  page.on('download', (file) => savedFileNames.push(file.suggestedFilename()))
  await openPayments(page)
  await getExportButton(page).click()
  const startExportButton = page.getByRole('button', { name: /^Export [\d,]+ payments$/ })
  const exportUrlPattern = `*${toApiRequestParts('payments.export', {}, { environment: 'sandbox' }).url}*`
  const cutServer = await started(startBrokenExportServer('breaks off'))
  const stopRedirect = await redirectRequests(page, exportUrlPattern, cutServer.url)
  await startExportButton.click()
  await expect(
    page.getByRole('alert').filter({ hasText: 'The export broke off, so no file was saved.' }),
  ).toBeVisible()
  const slowServer = await started(startBrokenExportServer('goes on'))
  await stopRedirect()
  await redirectRequests(page, exportUrlPattern, slowServer.url)
  await startExportButton.click()
  await expect(page.getByText('1,000 of 2,000')).toBeVisible()
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(
    page.getByRole('alert').filter({ hasText: 'Canceled. No file was saved.' }),
  ).toBeVisible()
  expect(savedFileNames).toEqual([])
})

test('a viewer sees the export disabled with the reason', { tag: '@full' }, async ({ signIn }) => {
  const page = await signIn('viewer')
  await openPayments(page)
  await expect(getExportButton(page)).toBeDisabled()
  await expect(getExportButton(page)).toHaveAccessibleDescription(
    'Only an operator, a reviewer or an admin can export.',
  )
})
