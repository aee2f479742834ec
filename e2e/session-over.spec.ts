import { everythingChanged } from '@/lib/operations/changes'
import { checkAllBoxes, fillRelease, getDecisionRegion, getReleaseButton, openPayout } from './desk'
import { endSession, expect, test } from './fixtures'
import { getPersonOfPage } from './person'

test('a page sends nothing if another person has signed in since, and names that person', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const [page, otherPage] = [await signIn('operator'), await signIn('admin')]
  const [firstPersonName, secondPersonName] = [
    getPersonOfPage(page).name,
    getPersonOfPage(otherPage).name,
  ]
  await openPayout(page, payout)
  await fillRelease(page)
  await checkAllBoxes(getDecisionRegion(page))
  await expect(getReleaseButton(page)).toBeEnabled()
  // Replaces the cookies, as a sign-in in another tab of this browser would.
  await page.context().addCookies(await otherPage.context().cookies())
  // A read of the page may notice the other person before this click and disable the button. A
  // normal click would then wait until the button is enabled.
  await getReleaseButton(page).dispatchEvent('click')
  await expect(
    page.getByRole('alert').filter({ hasText: `You are signed in as ${secondPersonName} now.` }),
  ).toBeVisible()
  await expect(getReleaseButton(page)).toHaveAccessibleDescription(
    `You are signed in as ${secondPersonName} now. Reload the page.`,
  )
  const getPersonMenuButton = (name: string) =>
    page.getByRole('banner').getByRole('button', { name })
  await expect(getPersonMenuButton(secondPersonName)).toBeVisible()
  expect(await sandbox.writes(payout.id)).toEqual([])
  await page.getByRole('button', { name: `Reload to continue as ${secondPersonName}` }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'You are signed in as' })).toHaveCount(0)
  await expect(getPersonMenuButton(secondPersonName)).toBeVisible()
  await expect(getPersonMenuButton(firstPersonName)).toHaveCount(0)
})

test('a page whose session ended sends no requests until the person signs in on it', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await page.clock.install()
  await openPayout(page, payout)
  const apiRequestUrls: string[] = []
  page.on(
    'request',
    (request) =>
      new URL(request.url()).pathname.startsWith('/api/') && apiRequestUrls.push(request.url()),
  )
  await page.clock.runFor('02:00')
  expect(apiRequestUrls.length).toBeGreaterThan(0)
  await endSession(page)
  await expect
    .poll(async () => (await page.request.get('/api/sandbox/desk/profile')).status())
    .toBe(401)
  await page.clock.runFor('01:00')
  await expect(page.getByRole('alert').filter({ hasText: 'Your session has ended' })).toBeVisible()
  apiRequestUrls.length = 0
  // Another tab forwards a change that its event stream received.
  await page.evaluate(
    (change) => new BroadcastChannel('paydesk-sandbox').postMessage([change]),
    everythingChanged,
  )
  await page.clock.runFor('30:00')
  expect(apiRequestUrls).toEqual([])
})
