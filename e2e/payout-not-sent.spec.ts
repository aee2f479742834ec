import { authorizationDetails } from '@/tests/harness/person'
import {
  alertMessage,
  createPdfFile,
  decisionRegion,
  fillDecision,
  openPayout,
  prepareRelease,
  reasonText,
  releaseButton,
  releasedMessage,
  timelineList,
} from './desk'
import { endSession, expect, password, test } from './fixtures'
import { getPerson } from './person'
import { noteField } from './reason'

test('a payout that changed since it was opened is not written, and the text stays', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const [page, otherPersonPage] = [await signIn('operator'), await signIn('reviewer')]
  await prepareRelease(page, payout)
  const uploadFields = { File: createPdfFile('between.pdf') }
  await openPayout(otherPersonPage, payout)
  const uploadResponse = await otherPersonPage.request.post(
    `/api/sandbox/v1/payouts/${payout.id}/authorization?account=${payout.account}`,
    {
      headers: {
        origin: new URL(otherPersonPage.url()).origin,
        'idempotency-key': `pdk_${payout.id.replaceAll('-', '')}`,
        'action-proof': authorizationDetails,
      },
      multipart: uploadFields,
    },
  )
  expect(uploadResponse.status()).toBe(201)
  await releaseButton(page).click()
  await expect(
    decisionRegion(page).getByText('This changed since you opened it', { exact: true }),
  ).toBeVisible()
  await expect(decisionRegion(page)).toContainText(
    `Changed by ${getPerson(otherPersonPage).name}, `,
  )
  await expect(noteField(decisionRegion(page))).toHaveValue(reasonText)
  expect((await sandbox.journal(payout.id)).map((row) => row.operation)).toEqual([
    'payouts.authorize',
  ])
  await releaseButton(page).click()
  await expect(releasedMessage(page)).toBeVisible()
})

test('the second of two people sees the action of the first and keeps the text', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const [firstPersonPage, secondPersonPage] = [await signIn('operator'), await signIn('admin')]
  await prepareRelease(firstPersonPage, payout)
  await openPayout(secondPersonPage, payout)
  await fillDecision(secondPersonPage, 'Cancel payout…', 'Created in error', 'My own words')
  await releaseButton(firstPersonPage).click()
  await expect(releasedMessage(firstPersonPage)).toBeVisible()
  await decisionRegion(secondPersonPage)
    .getByRole('button', { name: /^Cancel payout of/ })
    .click()
  await expect(
    decisionRegion(secondPersonPage).getByText('This changed since you opened it', { exact: true }),
  ).toBeVisible()
  await expect(decisionRegion(secondPersonPage)).toContainText(
    new RegExp(`Changed by ${getPerson(firstPersonPage).name}, .*“Authorization proof checked: `),
  )
  await expect(noteField(decisionRegion(secondPersonPage))).toHaveValue('My own words')
  await expect(timelineList(secondPersonPage)).toContainText(
    `${getPerson(firstPersonPage).name} · Paydesk`,
  )
  expect((await sandbox.journal(payout.id)).map((row) => row.operation)).toEqual([
    'payouts.release',
  ])
})

test('after a session ended, a sign-in on the page keeps the text and sends nothing', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await prepareRelease(page, payout)
  await endSession(page)
  // Polls until the server refuses the session, because it may still accept a session for up to a
  // second after its end.
  await expect
    .poll(async () =>
      (await page.request.get(`/api/sandbox/desk/actions?target=payouts/${payout.id}`)).status(),
    )
    .toBe(401)
  await releaseButton(page).click()
  await expect(alertMessage(page, 'Your session ended')).toContainText(getPerson(page).email)
  await expect(noteField(decisionRegion(page))).toHaveValue(reasonText)
  await decisionRegion(page).getByLabel('Password', { exact: true }).fill(password)
  await decisionRegion(page).getByLabel('Password', { exact: true }).press('Enter')
  await expect(alertMessage(page, 'Your session ended')).toHaveCount(0)
  await expect(noteField(decisionRegion(page))).toHaveValue(reasonText)
  expect(await sandbox.writes(payout.id)).toEqual([])
  await releaseButton(page).click()
  await expect(releasedMessage(page)).toBeVisible()
})

test('offline, a banner appears and nothing can be sent until the connection is back', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await prepareRelease(page, payout)
  await page.context().setOffline(true)
  await expect(page.getByRole('status').filter({ hasText: 'You are offline' })).toBeVisible()
  await expect(releaseButton(page)).toBeDisabled()
  await expect(releaseButton(page)).toHaveAccessibleDescription(/You are offline/)
  await noteField(decisionRegion(page)).press('Control+Enter')
  await page.context().setOffline(false)
  await expect(releaseButton(page)).toBeEnabled()
  expect(await sandbox.writes(payout.id)).toEqual([])
  await releaseButton(page).click()
  await expect(releasedMessage(page)).toBeVisible()
})
