import { randomUUID } from 'node:crypto'
import { expect, type Locator, type Page } from '@playwright/test'
import { payoutsPath, recordPath, serviceApiPath } from '@/lib/routes'
import { createPdfOfSize } from '@/tests/corpus/pdf-writer'
import { acknowledgedWarnings } from '@/tests/harness/person'
import { sendConfirmed } from './person'
import type { MadePayment } from './sandbox'
import { waitForHydration } from './wait-for-hydration'

/** Opens a page and waits until it is hydrated. Key presses and clicks before that would be lost. */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await waitForHydration(page)
}

/** Waits until no part of the page is loading. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await expect(page.locator('[aria-busy="true"], .skeleton')).toHaveCount(0)
}

export const openList = (page: Page, search: Record<string, string> = {}) => goTo(page, payoutsPath('sandbox', search))

/** Returns the parameters of an environment and account scope, from which the paths of its pages are built. */
export const toScopeParams = (account: string) => ({ environment: 'sandbox', scope: account })

/** Opens the page of a charge or a payout, and waits until its related data and checks have loaded. */
export async function openPayment(page: Page, { kind, id, account }: Pick<MadePayment, 'kind' | 'id' | 'account'>): Promise<void> {
  await goTo(page, recordPath('sandbox', kind === 'charge' ? 'charges' : 'payouts', id, { account }))
  await waitForPaymentData(page)
}

/** The same as `openPayment`, for tests of payouts. */
export const openPayout = openPayment

/** Waits until a payment's related data and checks have loaded. A finished payment has no checks. */
export async function waitForPaymentData(page: Page): Promise<void> {
  await expect(page.getByRole('article').getByRole('heading', { name: 'Bank account', exact: true })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Checks' }).getByText('Loading:')).toHaveCount(0)
  await waitUntilLoaded(page)
}

export const decisionRegion = (page: Page): Locator => page.getByRole('region', { name: 'Decision' })

export const timelineList = (page: Page): Locator => page.getByRole('list', { name: 'Timeline, newest first' })

export const reasonText = 'The proof was received and checked by two people.'

/** Opens the form of a decision, chooses the reason `code` and writes the note `text`. Sends nothing. */
export async function fillDecision(
  page: Page,
  buttonName: 'Release…' | 'Hold…' | 'Cancel payout…' | 'Cancel charge…' | 'Resubmit…' | 'Refund…',
  code: string,
  text = reasonText,
): Promise<void> {
  const decision = decisionRegion(page)
  await decision.getByRole('button', { name: buttonName }).click()
  await decision.getByLabel('Reason', { exact: true }).selectOption({ label: code })
  await decision.getByLabel('Note', { exact: true }).fill(text)
  await checkAllBoxes(decision)
}

export async function checkAllBoxes(within: Locator): Promise<void> {
  for (const box of await within.getByRole('checkbox').all()) await box.check()
}

export const releaseButton = (page: Page): Locator => decisionRegion(page).getByRole('button', { name: /^Release \$\d/ })

export const fillRelease = (page: Page, text?: string) => fillDecision(page, 'Release…', 'Authorization proof checked', text)

const toShade = (name: string): number => [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 256

/** Returns a PDF of one page and `size` bytes. The content depends on the name or on `shade`. */
export const createPdfFile = (name: string, size = 2000, shade = toShade(name)): { name: string; mimeType: string; buffer: Buffer } => ({
  name,
  mimeType: 'application/pdf',
  buffer: createPdfOfSize(size, shade),
})

/** Opens the upload form and sets its files as the file dialog does. */
export async function chooseFiles(page: Page, files: readonly ReturnType<typeof createPdfFile>[]): Promise<void> {
  const documents = page.getByLabel('Documents', { exact: true })
  if ((await documents.count()) === 0) await decisionRegion(page).getByRole('button', { name: 'Upload proof' }).click()
  await documents.setInputFiles([...files])
}

export const uploadButton = (page: Page): Locator => page.getByRole('button', { name: /^Upload \d+ files?$/ })

export async function fillProof(page: Page, authorizedBy = 'Ana Example'): Promise<void> {
  await page.getByLabel('Authorized by').fill(authorizedBy)
  await page.getByLabel('Date of authorization').fill('2026-03-31')
  await page.getByLabel('Method').selectOption({ label: 'Signed agreement' })
}

export async function uploadFiles(page: Page, files: readonly ReturnType<typeof createPdfFile>[]): Promise<void> {
  await chooseFiles(page, files)
  await fillProof(page)
  await uploadButton(page).click()
}

export const fileRow = (page: Page, name: string): Locator =>
  page.getByRole('list', { name: 'Files' }).getByRole('listitem').filter({ hasText: name })

/** Retries the upload of a file with an unknown outcome until the file is attached. */
export async function retryUntilAttached(page: Page, name: string): Promise<void> {
  const row = fileRow(page, name)
  const [attached, retryButton] = [row.filter({ hasText: 'kB · attached' }), row.getByRole('button', { name: `Try again ${name}` })]
  // The first retry may return the result of an earlier attempt that is still unknown.
  while (true) {
    await expect(attached.or(retryButton).first()).toBeVisible()
    if (await attached.isVisible()) return
    await retryButton.click()
  }
}

/** Returns the accounts of the platform, with their ids in the form that URLs use. */
export async function listAccounts(page: Page): Promise<{ id: string; name: string }[]> {
  const answer = await page.request.get(serviceApiPath('sandbox', '/accounts', ''))
  const { data } = (await answer.json()) as { data: { id: string; business_profile: { name: string } }[] }
  return data.map((account) => ({ id: `acct_${account.id}`, name: account.business_profile.name }))
}

/** Releases or holds a payment through the API, as another tab would. */
export const decideThroughApi = (
  page: Page,
  deskUrl: string,
  { kind, id, account }: Pick<MadePayment, 'kind' | 'id' | 'account'>,
  verb: 'release' | 'hold',
) => {
  const ownHeaders = {
    origin: deskUrl,
    'idempotency-key': `pdk_${randomUUID().replaceAll('-', '')}`,
    'action-warnings': acknowledgedWarnings,
  }
  const data = { reason: `AUTH_PROOF_OK: ${reasonText}` }
  const path = serviceApiPath('sandbox', `/${kind}s/${id}/${verb}`, '', account)
  return sendConfirmed(page.request, deskUrl, (headers) => page.request.put(path, { headers: { ...ownHeaders, ...headers }, data }))
}
