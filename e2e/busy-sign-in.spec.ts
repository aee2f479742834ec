import type { APIRequestContext } from '@playwright/test'
import { authApiPath, signInPath } from '@/lib/routes'
import { goTo } from './desk'
import { emailOf, expect, password } from './fixtures'
import { test } from './own-desk'
import { fillForm, onHome } from './sign-in'

/** Strangers who guess on thirty connections; `full` is there once the first was told to come again. */
async function strangersAt(context: APIRequestContext, deskUrl: string) {
  const { csrfToken } = (await (await context.get(authApiPath('csrf'))).json()) as { csrfToken: string }
  let over = false
  let isFull = () => {}
  const full = new Promise<void>((resolve) => {
    isFull = resolve
  })
  const guessOn = async () => {
    while (!over) {
      const form = { csrfToken, email: `${crypto.randomUUID()}@evil.test`, password: 'guess', json: 'true' }
      const answer = await context.post(authApiPath('callback/credentials'), { form, headers: { origin: deskUrl } })
      if (answer.status() === 503) isFull()
    }
  }
  const ended = Promise.all(Array.from({ length: 30 }, guessOn))
  return {
    full,
    callOff: () => {
      over = true
      return ended
    },
  }
}

// At a desk of its own: who signs in beside it would be told to come again, too.
test('a busy sign-in says so and what to do, and goes through when it is tried again @fault', async ({ page, playwright, deskUrl }) => {
  const context = await playwright.request.newContext({ baseURL: deskUrl })
  const alert = page.getByRole('alert').filter({ hasText: 'Too many people are signing in' })
  // A place may come free at the very moment of the click; then the person is in, and comes again as a stranger: known devices have a queue of their own.
  await expect(async () => {
    await page.context().clearCookies()
    await goTo(page, signInPath())
    const strangers = await strangersAt(context, deskUrl)
    await strangers.full
    await fillForm(page, emailOf('viewer'), password)
    await expect(alert.or(page.getByRole('heading', { name: 'Queue', level: 1 }))).toBeVisible()
    await strangers.callOff()
    // As it is now: nobody waits for an alert that will not come.
    expect(await alert.allTextContents()).toEqual([
      expect.stringContaining('Your password was not checked. Wait a few seconds and try again.'),
    ])
  }).toPass()
  await expect(alert).toBeFocused()
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await onHome(page)
  await context.dispose()
})
