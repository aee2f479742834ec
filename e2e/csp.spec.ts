import { expect, test } from './fixtures'
import { metricsToken } from './sandbox'

test('an injected event handler does not run, and the browser reports it', {
  tag: '@full',
}, async ({ signIn, troubles, deskUrl }) => {
  const page = await signIn('viewer')
  const readCspReportCount = async () => {
    const metricsResponse = await page.request.get(`${deskUrl}/api/metrics`, {
      headers: { authorization: `Bearer ${metricsToken}` },
    })
    return Number(
      /^paydesk_csp_reports_total\{directive="script-src-attr"\} (\d+)$/m.exec(
        await metricsResponse.text(),
      )?.[1] ?? 0,
    )
  }
  await page.goto(`${deskUrl}/sandbox/payouts`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const cspReportCountBefore = await readCspReportCount()
  await page.evaluate(() => {
    document.body.insertAdjacentHTML(
      'beforeend',
      '<img src="data:," alt="" onerror="window.injected = true">',
    )
  })
  await expect.poll(readCspReportCount).toBe(cspReportCountBefore + 1)
  expect(await page.evaluate(() => 'injected' in window)).toBe(false)
  expect(troubles.splice(0).join()).toContain('script-src-attr')
})
