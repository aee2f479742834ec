import { approvalsPath } from '@/lib/routes'
import { decideThroughApi, goTo } from './desk'
import { expect } from './fixtures'
import { test } from './own-desk'
import { password } from './person'
import { getStepUpDialog } from './step-up'

const requestCount = 20

test.use({ confirms: false })
test.describe.configure({ timeout: 600_000 })

test('twenty requests are approved in a row by keyboard', { tag: '@full' }, async ({
  signIn,
  sandbox,
  deskUrl,
}) => {
  const operator = await signIn('operator')
  const payouts: { id: string }[] = []
  for (let at = 0; at < requestCount; at += 1) {
    const payout = await sandbox.makePayout({ amount: 600_000 + at })
    const response = await decideThroughApi(operator, deskUrl, payout, 'release')
    expect(response.status(), await response.text()).toBe(202)
    payouts.push(payout)
  }
  const page = await signIn('reviewer')
  await goTo(page, approvalsPath('sandbox'))
  await page
    .getByRole('link', { name: /^Release a payout/ })
    .first()
    .press('Enter')
  const answer = page.getByRole('region', { name: 'Answer' })
  let keyCount = 0
  const press = async (key: string) => {
    await page.keyboard.press(key)
    keyCount += 1
  }
  const startedAt = Date.now()
  for (let at = 0; at < requestCount; at += 1) {
    const approveButton = answer.getByRole('button', { name: /^Approve and release/ })
    await expect(approveButton).toBeEnabled()
    const checks = page.getByRole('list', { name: 'Checks' })
    await expect(checks.getByText('Loading:')).toHaveCount(0)
    await press('a')
    await expect(approveButton).toBeFocused()
    await press('Enter')
    await expect(getStepUpDialog(page).getByLabel('Your password')).toBeFocused()
    await page.keyboard.type(password)
    await press('Enter')
    await expect(answer.getByText('Released', { exact: true })).toBeVisible()
    if (at < requestCount - 1) await press('n')
  }
  console.info(
    `${requestCount} approvals: ${keyCount} keys and ${requestCount} passwords in ${Math.round((Date.now() - startedAt) / 1000)} s`,
  )
  expect(keyCount).toBe(requestCount * 4 - 1)
  for (const { id } of payouts)
    expect((await sandbox.journal(id)).map(({ operation }) => operation)).toEqual([
      'payouts.release',
    ])
})
