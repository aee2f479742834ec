import { randomUUID } from 'node:crypto'
import { expect, type Locator, type Page } from '@playwright/test'
import { payoutsPath, recordPath, serviceApiPath } from '@/lib/routes'
import { pdfOfSize } from '@/tests/corpus/pdf-writer'
import { awake } from './awake'
import type { MadePayment } from './sandbox'

/** Opens a page and waits until its buttons answer: what is pressed before that is lost to a person, too, but a person presses again. */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await awake(page)
}

/** Waits until nothing on the page is still being read. */
export async function atRest(page: Page): Promise<void> {
  await expect(page.locator('[aria-busy="true"], .skeleton')).toHaveCount(0)
}

/** The list of payouts in a scope. */
export const openList = (page: Page, search: Record<string, string> = {}) => goTo(page, payoutsPath('sandbox', search))

/** The own page of a charge or a payout, with everything beside it read. */
export async function openPayment(page: Page, { kind, id, account }: Pick<MadePayment, 'kind' | 'id' | 'account'>): Promise<void> {
  await goTo(page, recordPath('sandbox', kind === 'charge' ? 'charges' : 'payouts', id, { account }))
  await factsRead(page)
}

/** A payout's own page; the same, by the name most tests know. */
export const openPayout = openPayment

/** Waits until no check is being read any more. */
export async function factsRead(page: Page): Promise<void> {
  const checks = page.getByRole('list', { name: 'Checks' })
  await expect(checks).toBeVisible()
  await expect(checks.getByText('Reading:')).toHaveCount(0)
}

/** Where the decision is made and its outcome is told. */
export const decisionOf = (page: Page): Locator => page.getByRole('region', { name: 'Decision' })

export const timelineOf = (page: Page): Locator => page.getByRole('list', { name: 'Timeline, newest first' })

export const reasonText = 'The proof was received and checked by two people.'

/** Opens the confirm sheet of a decision and writes a reason, but sends nothing. */
export async function writeDecision(
  page: Page,
  opens: 'Release…' | 'Hold…' | 'Cancel payout…' | 'Cancel charge…' | 'Resubmit…' | 'Refund…',
  code: string,
  text = reasonText,
): Promise<void> {
  const decision = decisionOf(page)
  await decision.getByRole('button', { name: opens }).click()
  await decision.getByLabel('Reason', { exact: true }).selectOption({ label: code })
  await decision.getByLabel('In a sentence').fill(text)
}

/** The button that sends a release of the amount. */
export const sendRelease = (page: Page): Locator => decisionOf(page).getByRole('button', { name: /^Release \d/ })

/** The whole of a release up to the click. */
export const writeRelease = (page: Page, text?: string) => writeDecision(page, 'Release…', 'Authorization proof is good', text)

/** A PDF of one page; `size` in bytes. */
export const pdf = (name: string, size = 2000): { name: string; mimeType: string; buffer: Buffer } => ({
  name,
  mimeType: 'application/pdf',
  buffer: pdfOfSize(size),
})

/** Opens the upload and hands it files as the file dialog does. */
export async function chooseFiles(page: Page, files: readonly ReturnType<typeof pdf>[]): Promise<void> {
  const documents = page.getByLabel('Documents', { exact: true })
  if ((await documents.count()) === 0) await decisionOf(page).getByRole('button', { name: 'Upload proof' }).click()
  await documents.setInputFiles([...files])
}

/** The line of one file in the upload. */
export const fileRow = (page: Page, name: string): Locator =>
  page.getByRole('list', { name: 'Files' }).getByRole('listitem').filter({ hasText: name })

/** The accounts of the platform, with their ids as a URL names them. */
export async function accountsOf(page: Page): Promise<{ id: string; name: string }[]> {
  const answer = await page.request.get(serviceApiPath('sandbox', '/accounts', ''))
  const { data } = (await answer.json()) as { data: { id: string; business_profile: { name: string } }[] }
  return data.map((account) => ({ id: `acct_${account.id}`, name: account.business_profile.name }))
}

/** Decides a payment as another tab would, past the screen. */
export const decideElsewhere = (page: Page, deskUrl: string, { kind, id, account }: MadePayment, verb: 'release' | 'hold') =>
  page.request.put(serviceApiPath('sandbox', `/${kind}s/${id}/${verb}`, '', account), {
    headers: { origin: deskUrl, 'idempotency-key': `pdk_${randomUUID().replaceAll('-', '')}` },
    data: { reason: `AUTH_PROOF_OK: ${reasonText}` },
  })
