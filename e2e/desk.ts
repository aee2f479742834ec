import { randomUUID } from 'node:crypto'
import { expect, type Locator, type Page } from '@playwright/test'
import { payoutsPath, recordPath, serviceApiPath } from '@/lib/routes'
import { createPdfOfSize } from '@/tests/corpus/pdf-writer'
import { acknowledgedWarnings } from '@/tests/harness/person'
import { sendConfirmedRequest } from './person'
import type { MadePayment } from './sandbox'
import { waitForHydration } from './wait-for-hydration'

/**
 * Opens a page and waits until it is hydrated. Key presses and clicks before that would be lost.
 */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await waitForHydration(page)
}

/** Waits until no part of the page is loading. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await expect(page.locator('[aria-busy="true"], .skeleton')).toHaveCount(0)
}

export const openPayoutList = (page: Page, search: Record<string, string> = {}) =>
  goTo(page, payoutsPath('sandbox', search))

/**
 * Returns an argument for path functions such as `payoutPath`, which then return paths of sandbox
 * pages in the scope of this account.
 */
export const toScopeParams = (account: string) => ({ environment: 'sandbox', scope: account })

/**
 * Opens the page of a charge or a payout, and waits until its related data and checks have loaded.
 */
export async function openPayment(
  page: Page,
  { kind, id, account }: Pick<MadePayment, 'kind' | 'id' | 'account'>,
): Promise<void> {
  await goTo(
    page,
    recordPath('sandbox', kind === 'charge' ? 'charges' : 'payouts', id, { account }),
  )
  await waitForPaymentData(page)
}

/** The same as `openPayment`, for tests of payouts. */
export const openPayout = openPayment

/**
 * Waits until a payment's related data and checks have loaded. A finished payment has no checks, so
 * only the data is awaited.
 */
export async function waitForPaymentData(page: Page): Promise<void> {
  await expect(
    page.getByRole('article').getByRole('heading', { name: 'Bank account', exact: true }),
  ).toBeVisible()
  await expect(page.getByRole('list', { name: 'Checks' }).getByText('Loading:')).toHaveCount(0)
  await waitUntilLoaded(page)
}

export const getDecisionRegion = (page: Page): Locator =>
  page.getByRole('region', { name: 'Decision' })

export const getTimelineList = (page: Page): Locator =>
  page.getByRole('list', { name: 'Timeline, newest first' })

export const reasonText = 'The proof was received and checked by two people.'

/**
 * Opens the form of a decision with its button, chooses a reason by its label, writes a note and
 * checks all boxes. Does not submit the form.
 */
export async function fillDecision(
  page: Page,
  buttonName: 'Release…' | 'Hold…' | 'Cancel payout…' | 'Cancel charge…' | 'Resubmit…' | 'Refund…',
  reasonLabel: string,
  noteText = reasonText,
): Promise<void> {
  const decisionArea = getDecisionRegion(page)
  await decisionArea.getByRole('button', { name: buttonName }).click()
  await decisionArea.getByLabel('Reason', { exact: true }).selectOption({ label: reasonLabel })
  await decisionArea.getByLabel('Note', { exact: true }).fill(noteText)
  await checkAllBoxes(decisionArea)
}

export async function checkAllBoxes(area: Locator): Promise<void> {
  for (const box of await area.getByRole('checkbox').all()) await box.check()
}

/** If a second person must approve, the button only requests the release. */
export const getReleaseButton = (page: Page): Locator =>
  getDecisionRegion(page).getByRole('button', { name: /^(?:Release|Request release of) \$\d/ })

export const fillRelease = (page: Page, text?: string) =>
  fillDecision(page, 'Release…', 'Customer confirmed', text)

/** Opens a payout and fills in the release form, but does not submit it. */
export async function prepareRelease(
  page: Page,
  payout: Parameters<typeof openPayout>[1],
): Promise<void> {
  await openPayout(page, payout)
  await fillRelease(page)
}

export const getReleasedMessage = (page: Page): Locator =>
  getDecisionRegion(page)
    .getByRole('status')
    .filter({ hasText: /^Released/ })

/** Returns the alert with this title in the decision region. */
export const getDecisionAlert = (page: Page, title: string): Locator =>
  getDecisionRegion(page).getByRole('alert').filter({ hasText: title })

const computePdfShade = (name: string): number =>
  [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 256

/**
 * Returns a PDF file with one page and `size` bytes. Files with a different `shade` differ in
 * content. The default depends on the name.
 */
export const createPdfFile = (
  name: string,
  size = 2000,
  shade = computePdfShade(name),
): { name: string; mimeType: string; buffer: Buffer } => ({
  name,
  mimeType: 'application/pdf',
  buffer: createPdfOfSize(size, shade),
})

/**
 * Opens the upload form, unless it is already open, and chooses its files as a person would in the
 * file dialog.
 */
export async function chooseFiles(
  page: Page,
  files: readonly ReturnType<typeof createPdfFile>[],
): Promise<void> {
  const documentsInput = page.getByLabel('Documents', { exact: true })
  if ((await documentsInput.count()) === 0)
    await getDecisionRegion(page).getByRole('button', { name: 'Upload proof' }).click()
  await documentsInput.setInputFiles([...files])
}

export const getUploadButton = (page: Page): Locator =>
  page.getByRole('button', { name: /^Upload \d+ files?$/ })

export async function fillProof(page: Page, authorizedBy = 'Ana Example'): Promise<void> {
  await page.getByLabel('Authorized by').fill(authorizedBy)
  await page.getByLabel('Date of authorization').fill('2026-03-31')
  await page.getByLabel('Method').selectOption({ label: 'Signed agreement' })
}

export async function uploadFiles(
  page: Page,
  files: readonly ReturnType<typeof createPdfFile>[],
): Promise<void> {
  await chooseFiles(page, files)
  await fillProof(page)
  await getUploadButton(page).click()
}

export const getFileRow = (page: Page, name: string): Locator =>
  page.getByRole('list', { name: 'Files' }).getByRole('listitem').filter({ hasText: name })

/**
 * For a file whose upload has an unknown outcome: clicks “Try again” until the file is attached.
 */
export async function retryUploadUntilAttached(page: Page, name: string): Promise<void> {
  const row = getFileRow(page, name)
  const [attachedRow, retryButton] = [
    row.filter({ hasText: 'kB · attached' }),
    row.getByRole('button', { name: `Try again ${name}` }),
  ]
  // One retry may not be enough: the first one may only return the outcome of an earlier attempt,
  // which is still unknown.
  while (true) {
    await expect(attachedRow.or(retryButton).first()).toBeVisible()
    if (await attachedRow.isVisible()) return
    await retryButton.click()
  }
}

/** Returns the accounts of the platform. Their ids have the prefix `acct_`, as in URLs. */
export async function listAccounts(page: Page): Promise<{ id: string; name: string }[]> {
  const accountsResponse = await page.request.get(serviceApiPath('sandbox', '/accounts', ''))
  const { data } = (await accountsResponse.json()) as {
    data: { id: string; business_profile: { name: string } }[]
  }
  return data.map((account) => ({ id: `acct_${account.id}`, name: account.business_profile.name }))
}

/**
 * Releases or holds a payment through the API. An open page of the payment sees this as a change
 * made elsewhere.
 */
export const decideThroughApi = (
  page: Page,
  deskUrl: string,
  { kind, id, account }: Pick<MadePayment, 'kind' | 'id' | 'account'>,
  verb: 'release' | 'hold',
) => {
  const writeHeaders = {
    origin: deskUrl,
    'idempotency-key': `pdk_${randomUUID().replaceAll('-', '')}`,
    'action-warnings': acknowledgedWarnings,
  }
  const decisionBody = { reason: `AUTH_PROOF_OK: ${reasonText}` }
  const path = serviceApiPath('sandbox', `/${kind}s/${id}/${verb}`, '', account)
  return sendConfirmedRequest(page.request, deskUrl, (headers) =>
    page.request.put(path, { headers: { ...writeHeaders, ...headers }, data: decisionBody }),
  )
}
