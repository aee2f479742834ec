import type { Page } from '@playwright/test'
import { payoutPath, signInPath } from '@/lib/routes'
import { goodProof } from '@/tests/harness/person'
import { startWholeDesk } from '@/tests/harness/whole-desk'
import { decisionOf, factsRead, openPayout, pdf, reasonText, sendRelease, timelineOf, writeDecision, writeRelease } from './desk'
import { endSession, expect, password, test } from './fixtures'
import { hydrated } from './hydrated'
import { personOn } from './person'

const alertMessage = (page: Page, title: string) => decisionOf(page).getByRole('alert').filter({ hasText: title })
const saysReleased = (page: Page) =>
  decisionOf(page)
    .getByRole('status')
    .filter({ hasText: /^Released/ })
const typed = (page: Page) => decisionOf(page).getByLabel('Note', { exact: true })
const release = (page: Page) => decisionOf(page).getByRole('button', { name: 'Release…' })

/** Opens a payout and fills in its release. The test itself sends it. */
async function ready(page: Page, payout: Parameters<typeof openPayout>[1]) {
  await openPayout(page, payout)
  await writeRelease(page)
}

test('an unknown outcome disables every action, survives a reload and is settled by another check', async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await ready(page, payout)
  await sandbox.fault({ operation: 'payouts.release', match: payout.id, kind: 'status', status: 500, body: 'none', count: null })
  await sendRelease(page).click()
  await expect(alertMessage(page, 'Outcome unknown')).toContainText('Do not repeat', { timeout: 15_000 })
  await page.reload()
  await hydrated(page)
  await expect(alertMessage(page, 'Outcome unknown')).toBeVisible()
  for (const name of ['Release…', 'Hold…', 'Cancel payout…', 'Upload proof']) {
    await expect(decisionOf(page).getByRole('button', { name })).toBeDisabled()
  }
  await expect(release(page)).toHaveAccessibleDescription('Another action is still in progress: you asked to release a payout.')
  await decisionOf(page).getByRole('button', { name: 'Check again' }).click()
  await expect(decisionOf(page).getByText('Checked: still unknown.')).toBeVisible()
  expect(await sandbox.journal(payout.id)).toEqual([])

  await sandbox.clearFaults()
  await decisionOf(page).getByRole('button', { name: 'Check again' }).click()
  await expect(saysReleased(page)).toBeVisible()
  expect(await sandbox.journal(payout.id)).toHaveLength(1)
  expect(new Set((await sandbox.writes(payout.id)).map((row) => row.idempotency_key)).size).toBe(1)
})

test('a response lost after the effect is replayed and ends as released', { tag: '@full' }, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await ready(page, payout)
  await sandbox.fault({ operation: 'payouts.release', match: payout.id, kind: 'reset', at: 'after' })
  await sendRelease(page).click()
  await expect(saysReleased(page)).toContainText('Replayed')
  await expect(saysReleased(page)).toContainText('This is the answer to the first attempt. The action happened once.')
  await expect(timelineOf(page)).toContainText('Release a payout: done, replayed, 2 attempts')
  expect(await sandbox.journal(payout.id)).toHaveLength(1)
})

test('a refusal of the service is quoted, the text stays, and the next attempt has a new key', { tag: '@full' }, async ({
  signIn,
  sandbox,
}) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await ready(page, payout)
  await sandbox.fault({ operation: 'payouts.release', match: payout.id, kind: 'status', status: 422 })
  await sendRelease(page).click()
  await expect(alertMessage(page, 'The payments service refused this')).toContainText('“A planned fault of the sandbox.”')
  await expect(typed(page)).toHaveValue(reasonText)
  await sendRelease(page).click()
  await expect(saysReleased(page)).toBeVisible()
  expect(new Set((await sandbox.writes(payout.id)).map((row) => row.idempotency_key)).size).toBe(2)
})

test('an API key without permission shows an error with IDs for an admin', { tag: '@full' }, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await ready(page, payout)
  await sandbox.fault({ operation: 'payouts.release', match: payout.id, kind: 'status', status: 403 })
  await sendRelease(page).click()
  await expect(alertMessage(page, 'Our API key lacks this permission')).toContainText('Give the IDs below to an admin')
  await alertMessage(page, 'Our API key lacks this permission').getByText('Technical details (1 attempt)').click()
  await expect(decisionOf(page).getByRole('button', { name: 'Copy all IDs' })).toBeVisible()
  await expect(typed(page)).toHaveValue(reasonText)
})

test('a rejected API key shows a banner, and the person stays signed in', { tag: '@full' }, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await ready(page, payout)
  await sandbox.fault({ operation: 'payouts.release', match: payout.id, kind: 'status', status: 401 })
  await sendRelease(page).click()
  await expect(alertMessage(page, 'The payments service rejected our API key. An admin must replace it')).toBeVisible()
  await expect(typed(page)).toHaveValue(reasonText)
  await expect(page.getByRole('button', { name: personOn(page).name })).toBeVisible()
})

test('a release that the service rate-limits changes nothing and can be sent again', { tag: '@full' }, async ({ page, started }) => {
  // Uses a separate desk, because the pause applies to all users of a desk. Slow, because the desk starts in this test.
  test.slow()
  const desk = await started(startWholeDesk())
  const payout = await desk.sandbox.makePayout()
  await page.goto(desk.dashboard.url + signInPath(payoutPath('sandbox', payout.id, { account: payout.account })))
  await page.getByRole('button', { name: /^operator / }).click()
  await expect(page.getByRole('article', { name: 'Payout' })).toBeVisible()
  await hydrated(page)
  await factsRead(page)
  await writeRelease(page)
  await desk.sandbox.fault({ operation: 'payouts.release', match: payout.id, kind: 'status', status: 429, retry_after: 1, count: 3 })
  await sendRelease(page).click()
  const busy = decisionOf(page).getByText('The provider is rate-limiting us')
  await expect(busy).toBeVisible({ timeout: 15_000 })
  await expect(typed(page)).toHaveValue(reasonText)
  await sendRelease(page).click()
  await expect(saysReleased(page)).toBeVisible()
  expect(await desk.sandbox.journal(payout.id)).toHaveLength(1)
})

test('a payout that changed since it was opened is not written, and the text stays', { tag: '@full' }, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const [page, elsewhere] = [await signIn('operator'), await signIn('reviewer')]
  await ready(page, payout)
  const form = { File: pdf('between.pdf') }
  await openPayout(elsewhere, payout)
  const uploaded = await elsewhere.request.post(`/api/sandbox/v1/payouts/${payout.id}/authorization?account=${payout.account}`, {
    headers: {
      origin: new URL(elsewhere.url()).origin,
      'idempotency-key': `pdk_${payout.id.replaceAll('-', '')}`,
      'action-proof': goodProof,
    },
    multipart: form,
  })
  expect(uploaded.status()).toBe(201)
  await sendRelease(page).click()
  await expect(decisionOf(page).getByText('This changed since you opened it', { exact: true })).toBeVisible()
  await expect(decisionOf(page)).toContainText(`Changed by ${personOn(elsewhere).name}, `)
  await expect(typed(page)).toHaveValue(reasonText)
  expect((await sandbox.journal(payout.id)).map((row) => row.operation)).toEqual(['payouts.authorize'])
  await sendRelease(page).click()
  await expect(saysReleased(page)).toBeVisible()
})

test('the second of two people sees the action of the first and keeps the text', { tag: '@full' }, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const [first, second] = [await signIn('operator'), await signIn('admin')]
  await ready(first, payout)
  await openPayout(second, payout)
  await writeDecision(second, 'Cancel payout…', 'Created in error', 'My own words')
  await sendRelease(first).click()
  await expect(saysReleased(first)).toBeVisible()
  await decisionOf(second)
    .getByRole('button', { name: /^Cancel payout of/ })
    .click()
  await expect(decisionOf(second).getByText('This changed since you opened it', { exact: true })).toBeVisible()
  await expect(decisionOf(second)).toContainText(new RegExp(`Changed by ${personOn(first).name}, .*“Authorization proof checked: `))
  await expect(typed(second)).toHaveValue('My own words')
  await expect(timelineOf(second)).toContainText(`${personOn(first).name} · Paydesk`)
  expect((await sandbox.journal(payout.id)).map((row) => row.operation)).toEqual(['payouts.release'])
})

test('after a session ended, a sign-in on the page keeps the text and sends nothing', { tag: '@full' }, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await ready(page, payout)
  await endSession(page)
  // Polls until the ended session is refused, because the server may accept it for up to a second after its end.
  await expect.poll(async () => (await page.request.get(`/api/sandbox/desk/actions?target=payouts/${payout.id}`)).status()).toBe(401)
  await sendRelease(page).click()
  await expect(alertMessage(page, 'Your session ended')).toContainText(personOn(page).email)
  await expect(typed(page)).toHaveValue(reasonText)
  await decisionOf(page).getByLabel('Password', { exact: true }).fill(password)
  await decisionOf(page).getByLabel('Password', { exact: true }).press('Enter')
  await expect(alertMessage(page, 'Your session ended')).toHaveCount(0)
  await expect(typed(page)).toHaveValue(reasonText)
  expect(await sandbox.writes(payout.id)).toEqual([])
  await sendRelease(page).click()
  await expect(saysReleased(page)).toBeVisible()
})

test('offline, a banner appears and nothing can be sent until the connection is back', { tag: '@full' }, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await ready(page, payout)
  await page.context().setOffline(true)
  await expect(page.getByRole('status').filter({ hasText: 'You are offline' })).toBeVisible()
  await expect(sendRelease(page)).toBeDisabled()
  await expect(sendRelease(page)).toHaveAccessibleDescription(/You are offline/)
  await typed(page).press('Control+Enter')
  await page.context().setOffline(false)
  await expect(sendRelease(page)).toBeEnabled()
  expect(await sandbox.writes(payout.id)).toEqual([])
  await sendRelease(page).click()
  await expect(saysReleased(page)).toBeVisible()
})
