import { expect, type FrameLocator, type Locator, type Page } from '@playwright/test'
import { recordPath, serviceApiPath } from '@/lib/routes'
import { getDecisionRegion, goTo } from './desk'
import type { Sandbox } from './sandbox'

type PaykeyIdAndAccount = { id: string; account: string }

/** Opens the page of a paykey, and waits until its checks have loaded. */
export async function openPaykey(page: Page, { id, account }: PaykeyIdAndAccount): Promise<void> {
  await goTo(page, recordPath('sandbox', 'paykeys', id, { account }))
  const checksList = page.getByRole('list', { name: 'Checks' }).first()
  await expect(checksList).toBeVisible()
  await expect(checksList.getByText('Loading:')).toHaveCount(0)
}

/**
 * Opens the form of a decision and chooses a reason. The reason's template fills the note. Returns
 * the region that contains the form.
 */
export async function openAndFillDecision(
  page: Page,
  buttonName: string,
  reason: string,
): Promise<Locator> {
  const decisionArea = getDecisionRegion(page)
  await decisionArea.getByRole('button', { name: buttonName }).click()
  await decisionArea.getByLabel('Reason', { exact: true }).selectOption({ label: reason })
  await expect(decisionArea.getByLabel('Note', { exact: true })).not.toHaveValue('')
  return decisionArea
}

export async function checkAllBoxes(area: Locator): Promise<void> {
  for (const box of await area.getByRole('checkbox').all()) await box.check()
}

export const getPanelByTitle = (page: Page, title: string): Locator =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: title, exact: true }) })

/** Reads data of the service through Paydesk's API. */
export async function fetchServiceData<T>(
  page: Page,
  path: string,
  query = '',
  account?: string,
): Promise<T> {
  const response = await page.request.get(serviceApiPath('sandbox', path, query, account))
  return ((await response.json()) as { data: T }).data
}

export const readPaykeyStatus = async (page: Page, id: string): Promise<string> =>
  (await fetchServiceData<{ status: string }>(page, `/paykeys/${id}`)).status

/**
 * Returns twelve digits that no other test uses: the last nine digits of the time in milliseconds,
 * and three random ones.
 */
export const createAccountNumber = (): string =>
  `${Date.now()}${Math.floor(Math.random() * 900 + 100)}`.slice(-12)

export async function createCustomerWithPaidPayout(
  page: Page,
  sandbox: Sandbox,
): Promise<{ customer: string; name: string; account: string }> {
  const payout = await sandbox.makePayout({ status: 'paid' })
  const { customer_id } = await fetchServiceData<{ customer_id: string }>(
    page,
    `/paykeys/${payout.paykey}`,
  )
  return { customer: customer_id, name: payout.customer, account: payout.account }
}

/** Returns the message that shows the status of a newly connected paykey. */
export const getConnectedMessage = (page: Page) =>
  page.getByRole('status').filter({ hasText: /^(Connected|Not accepted)/ })

export async function readPaykeyId(page: Page): Promise<string> {
  const href = await getConnectedMessage(page)
    .getByRole('link', { name: /Open the paykey|Open review/ })
    .getAttribute('href')
  return /paykeys\/([0-9a-f-]{36})/.exec(href ?? '')?.[1] ?? ''
}

export async function fillBankNumbers(page: Page, accountNumber: string): Promise<void> {
  await page.getByLabel('Routing number').fill('021000021')
  await page.getByLabel('Account number', { exact: true }).fill(accountNumber)
  await page.getByLabel('Confirm account number', { exact: true }).fill(accountNumber)
}

export async function selectSandboxOutcome(page: Page, outcome: string): Promise<void> {
  await page.getByText('Options: reference, verification, sandbox outcome').click()
  await page.getByLabel('Outcome, sandbox only').selectOption(outcome)
}

/**
 * In the frame with the provider's hosted page: chooses a bank and signs in there. Ends at the
 * choice of an account.
 */
export async function signInAtBank(frame: FrameLocator): Promise<void> {
  await frame.getByRole('button', { name: 'Gringotts' }).click()
  await frame.getByLabel('User name').fill('griphook')
  await frame.getByLabel('Password').fill('not a real one')
  await frame.getByRole('button', { name: 'Sign in' }).click()
  await expect(frame.getByRole('heading', { name: 'Choose an account' })).toBeVisible()
}
