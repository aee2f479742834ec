import type { Page } from '@playwright/test'
import { serviceApiPath } from '@/lib/routes'
import { getDecisionRegion, listAccounts, openPayment } from './desk'
import { expect, test } from './fixtures'

type ReturnedCharge = { id: string; status_details: { code: string | null } }

/**
 * Returns id and account of a charge that was returned with this status reason (`reason`) and ACH
 * return code (`code`).
 */
async function findReturnedCharge(
  page: Page,
  reason: string,
  code: string,
): Promise<{ kind: 'charge'; id: string; account: string }> {
  const query = `payment_type=charge&payment_status=failed,reversed&status_reason=${reason}&status_source=bank_decline,customer_dispute&has_resubmit=false`
  for (const { id: account } of await listAccounts(page)) {
    const paymentsResponse = await page.request.get(
      serviceApiPath('sandbox', '/payments', query, account),
    )
    const { data } = (await paymentsResponse.json()) as { data: ReturnedCharge[] }
    const foundCharge = data.find(({ status_details }) => status_details.code === code)
    if (foundCharge) return { kind: 'charge', id: foundCharge.id, account }
  }
  throw new Error(`no charge came back with ${code}`)
}

test('a return for insufficient funds explains itself and offers a resubmission', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn('operator')
  await openPayment(page, await findReturnedCharge(page, 'insufficient_funds', 'R01'))
  const chargeArticle = page.getByRole('article', { name: 'Charge' })
  await expect(chargeArticle).toContainText('Insufficient funds (R01)')
  await expect(chargeArticle).toContainText('Can be resubmitted up to twice within 180 days')
  await expect(chargeArticle).toContainText('Provider’s reason: insufficient_funds')
  await expect(chargeArticle).toContainText('(source: bank_decline, the bank, code: R01)')
})

test('a closed account counts for a return rate and allows no resubmission', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn('operator')
  await openPayment(page, await findReturnedCharge(page, 'closed_bank_account', 'R02'))
  const returnedChargeArticle = page.getByRole('article', { name: 'Charge' })
  await expect(returnedChargeArticle).toContainText('Account closed (R02)')
  await expect(returnedChargeArticle).toContainText(
    'It counts toward the administrative returns (limit 3%).',
  )
  await expect(
    returnedChargeArticle.getByRole('link', { name: 'Connect another bank account' }),
  ).toBeVisible()
  await expect(getDecisionRegion(page).getByRole('button', { name: 'Resubmit…' })).toBeDisabled()
})

test('a disputed charge requires a new authorization before it is resubmitted', async ({
  signIn,
}) => {
  const page = await signIn('operator')
  await openPayment(page, await findReturnedCharge(page, 'disputed', 'R10'))
  const unauthorizedChargeArticle = page.getByRole('article', { name: 'Charge' })
  await expect(unauthorizedChargeArticle).toContainText('Customer advises not authorized (R10)')
  await expect(unauthorizedChargeArticle).toContainText(
    'It counts toward the unauthorized returns (limit 0.5%).',
  )
})
