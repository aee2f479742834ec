import { payoutPath, serviceApiPath } from '@/lib/routes'
import { makeAccountWithCustomer } from './customer'
import { reasonText, toScopeParams } from './desk'
import { expect, test } from './fixtures'
import { getChartRegion, getHomeRegion, getQueueRows, openHome } from './home'

const parseCents = (text: string) =>
  Math.round(Number(text.replace(/[$,]/g, '').replace('−', '-')) * 100)

test('each chart has a table with the same figures', { tag: '@full' }, async ({ signIn }) => {
  const page = await signIn('viewer')
  await openHome(page)
  const flowChart = getChartRegion(page, /^Money in and out/)
  await expect(
    flowChart.getByRole('img', {
      name: /^Money in and out per day over 30 days\. In \$[\d,.]+, out \$[\d,.]+, net/,
    }),
  ).toBeVisible()
  await flowChart.getByRole('button', { name: /^As table/ }).focus()
  await page.keyboard.press('Enter')
  const chartRows = flowChart.getByRole('table').getByRole('row')
  await expect(chartRows).toHaveCount(31)
  await expect(flowChart.getByRole('img')).toHaveCount(0)
  const sumColumn = async (columnNumber: number) => {
    const cellTexts = await chartRows.locator(`td:nth-of-type(${columnNumber})`).allTextContents()
    return cellTexts.reduce((sum, text) => sum + parseCents(text), 0)
  }
  const readFlowFigure = async (name: string) => {
    const figureText = await flowChart
      .locator('dl > div')
      .filter({ hasText: name })
      .locator('dd')
      .textContent()
    return parseCents((figureText ?? '').trim())
  }
  expect([await sumColumn(1), await sumColumn(2), await sumColumn(3)]).toEqual([
    await readFlowFigure('In'),
    await readFlowFigure('Out'),
    await readFlowFigure('Net'),
  ])
  expect(await sumColumn(1)).toBeGreaterThan(0)

  const ratesChart = getChartRegion(page, /^Return rates/)
  await expect(
    ratesChart.getByRole('img', { name: /Unauthorized [\d.]+%, .* of 0\.5%/ }),
  ).toBeVisible()
  const [, returned, debits] =
    /(\d[\d,]*) of (\d[\d,]*) debits/.exec((await ratesChart.textContent()) ?? '') ?? []
  await ratesChart.getByRole('button', { name: /^As table/ }).click()
  const overallCells = ratesChart.getByRole('row', { name: /^All returns/ }).getByRole('cell')
  await expect(overallCells.nth(0)).toHaveText(returned?.replaceAll(',', '') ?? '')
  await expect(overallCells.nth(1)).toHaveText(
    `${((parseCents(returned ?? '') / parseCents(debits ?? '')) * 100).toFixed(2)}%`,
  )
})

test('an action with an unknown outcome is first and links to its record', {
  tag: '@full',
}, async ({ signIn, sandbox, deskUrl }) => {
  const page = await signIn('operator')
  const payout = await sandbox.makePayout({
    account_id: (await makeAccountWithCustomer(page, deskUrl)).id,
  })
  await sandbox.fault({
    operation: 'payouts.release',
    match: payout.id,
    kind: 'status',
    status: 500,
    count: null,
  })
  const releaseResponse = await page.request.put(
    serviceApiPath('sandbox', `/payouts/${payout.id}/release`, '', payout.account),
    {
      headers: {
        origin: deskUrl,
        'idempotency-key': `pdk_${payout.id.replaceAll('-', '')}`,
        'action-warnings': 'documents_warn',
      },
      data: { reason: `AUTH_PROOF_OK: ${reasonText}` },
    },
  )
  expect(await releaseResponse.json()).toMatchObject({ action: { state: 'unknown' } })
  await openHome(page, { account: payout.account })
  await expect(
    getHomeRegion(page, 'For you').getByRole('heading', { level: 3 }).first(),
  ).toHaveText('Outcome unknown')
  const row = getQueueRows(page, 'Outcome unknown').filter({ hasText: payout.id.slice(-6) })
  await expect(row).toContainText('Release a payout')
  await expect(row).toContainText('by you')
  await expect(row).toContainText('checking under the same key')
  await row.getByRole('link').click()
  await expect(page).toHaveURL(
    payoutPath(toScopeParams(payout.account), payout.id, { account: payout.account }),
  )
})
