import { expect, type Locator, type Page } from '@playwright/test'
import { recordPath, serviceApiPath } from '@/lib/routes'
import { decisionOf, goTo } from './desk'
import type { Sandbox } from './sandbox'

type Place = { id: string; account: string }

/** A paykey's own page, with everything beside it read. */
export async function openPaykey(page: Page, { id, account }: Place): Promise<void> {
  await goTo(page, recordPath('sandbox', 'paykeys', id, { account }))
  const checks = page.getByRole('list', { name: 'Checks' }).first()
  await expect(checks).toBeVisible()
  await expect(checks.getByText('Reading:')).toHaveCount(0)
}

/** Opens the confirm sheet of a decision and chooses a reason, whose template is the sentence. */
export async function beginTurn(page: Page, opens: string, reason: string): Promise<Locator> {
  const decision = decisionOf(page)
  await decision.getByRole('button', { name: opens }).click()
  await decision.getByLabel('Reason', { exact: true }).selectOption({ label: reason })
  await expect(decision.getByLabel('In a sentence')).not.toHaveValue('')
  return decision
}

/** Acknowledges each doubt that the sheet names. */
export async function tickAll(decision: Locator): Promise<void> {
  for (const box of await decision.getByRole('checkbox').all()) await box.check()
}

/** Reads of the service through the desk's own API. */
export async function readDesk<T>(page: Page, path: string, query = '', account?: string): Promise<T> {
  const answer = await page.request.get(serviceApiPath('sandbox', path, query, account))
  return ((await answer.json()) as { data: T }).data
}

/** The state of a paykey as the service says it. */
export const stateOf = async (page: Page, id: string): Promise<string> =>
  (await readDesk<{ status: string }>(page, `/paykeys/${id}`)).status

/** A verified customer and the account they belong to. */
export async function customerFor(page: Page, sandbox: Sandbox): Promise<{ customer: string; name: string; account: string }> {
  const made = await sandbox.makePayout({ status: 'paid' })
  const { customer_id } = await readDesk<{ customer_id: string }>(page, `/paykeys/${made.paykey}`)
  return { customer: customer_id, name: made.customer, account: made.account }
}
