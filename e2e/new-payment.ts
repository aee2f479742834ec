import { expect, type Locator, type Page } from '@playwright/test'
import { newRecordPath } from '@/lib/routes'
import { goTo } from './desk'
import { chooseReason } from './reason'

export type PaymentKind = 'charge' | 'payout'

export async function openPaymentForm(
  page: Page,
  kind: PaymentKind,
  search: Record<string, string>,
): Promise<void> {
  await goTo(page, newRecordPath('sandbox', kind === 'charge' ? 'charges' : 'payouts', search))
  await expect(page.getByLabel('Amount, USD')).toBeVisible()
}

export async function fillPayment(page: Page, kind: PaymentKind, amount: string): Promise<void> {
  await page.getByLabel('Amount, USD').fill(amount)
  await page.getByLabel('Description').fill('Rent for April')
  if (kind === 'charge') await page.getByLabel('Consent').selectOption('internet')
  await page.getByLabel('Customer not present').check()
  await chooseReason(page, 'Payment is due')
}

export const clickReview = (page: Page, kind: PaymentKind) =>
  page.getByRole('button', { name: `Review the ${kind}…` }).click()
export const getPaymentPlanRegion = (page: Page): Locator =>
  page.getByRole('region', { name: 'What will be sent' })

export async function checkPlanCheckboxes(page: Page): Promise<void> {
  await expect(getPaymentPlanRegion(page).getByText('Loading:')).toHaveCount(0)
  for (const box of await getPaymentPlanRegion(page).getByRole('checkbox').all()) await box.check()
}

/** Waits for the page of the created payment, and returns the payment's id from the URL. */
export async function readCreatedPaymentId(page: Page, kind: PaymentKind): Promise<string> {
  await expect(page).toHaveURL(new RegExp(`/${kind}s/[0-9a-f-]{36}`))
  await expect(
    page.getByRole('article', { name: kind === 'charge' ? 'Charge' : 'Payout' }),
  ).toBeVisible()
  return new URL(page.url()).pathname.split('/').at(-1) ?? ''
}
