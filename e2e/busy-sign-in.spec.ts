import type { APIRequestContext } from '@playwright/test'
import { authApiPath, signInPath } from '@/lib/routes'
import { startWholeDesk } from '@/tests/harness/whole-desk'
import { goTo } from './desk'
import { emailOf, expect, password, test } from './fixtures'
import { expectHome, submitSignInForm } from './sign-in'

/** Number of sign-ins that the server accepts at the same time: two are checked and twenty wait. */
const maxPendingSignIns = 22

/**
 * Sends one sign-in more than the server accepts, and waits until that one is refused. Returns a
 * function that waits for the responses to the others.
 */
async function fillSignInQueue(
  context: APIRequestContext,
  deskUrl: string,
): Promise<() => Promise<void>> {
  const { csrfToken } = (await (await context.get(authApiPath('csrf'))).json()) as {
    csrfToken: string
  }
  const responseStatuses: number[] = []
  const sendSignIn = async () => {
    const signInFields = {
      csrfToken,
      email: `${crypto.randomUUID()}@evil.test`,
      password: 'guess',
      json: 'true',
    }
    const signInResponse = await context.post(authApiPath('callback/credentials'), {
      form: signInFields,
      headers: { origin: deskUrl },
      timeout: 0,
    })
    responseStatuses.push(signInResponse.status())
  }
  const pendingSignIns = Promise.allSettled(
    Array.from({ length: maxPendingSignIns + 1 }, sendSignIn),
  )
  await expect.poll(() => responseStatuses).toEqual([503])
  return async () => void (await pendingSignIns)
}

test('an overloaded sign-in shows what to do, and a retry succeeds @fault', {
  tag: '@full',
}, async ({ page, playwright, started }) => {
  // Uses a separate Paydesk. On the shared one, the sign-ins of other tests would be refused too.
  const ownDesk = await started(startWholeDesk())
  const deskUrl = ownDesk.dashboard.url
  const apiContext = await playwright.request.newContext({ baseURL: deskUrl })
  let waitForAllResponses = async () => {}
  try {
    await goTo(page, deskUrl + signInPath())
    // Each sign-in writes a row before it hashes the password. The lock blocks the first two
    // sign-ins at that write, and the others wait for these two.
    await ownDesk.db.query('begin; lock table sign_in_failures in access exclusive mode')
    waitForAllResponses = await fillSignInQueue(apiContext, deskUrl)
    await submitSignInForm(page, emailOf('viewer'), password)
    const alert = page.getByRole('alert').filter({ hasText: 'Your password was not checked' })
    await expect(alert).toContainText(
      'Too many people are signing in, or the store of Paydesk does not answer. Wait a few seconds and try again.',
    )
    await expect(alert).toBeFocused()
    await ownDesk.db.query('rollback')
    await waitForAllResponses()
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expectHome(page)
  } finally {
    await ownDesk.db.query('rollback')
    await waitForAllResponses()
    await apiContext.dispose()
  }
})
