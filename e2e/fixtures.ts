import { type Browser, type BrowserContext, test as base, type ConsoleMessage, expect, type Page } from '@playwright/test'
import type { WireError } from '@/lib/errors'
import type { Role } from '@/lib/operations/define'
import { mirrorApiPath } from '@/lib/routes'
import { type Sandbox, sandboxAt } from './sandbox'

type Options = { deskUrl: string; sandboxUrl: string }
type State = Awaited<ReturnType<BrowserContext['storageState']>>
/** The cookies of a session, and when its person last confirmed who they are (milliseconds since 1970). */
type Entered = { state: State; confirmedAt: number }
type SignIn = (role: Role, options?: { fresh?: boolean }) => Promise<Page>
type Fixtures = { confirms: boolean; troubles: string[]; signIn: SignIn; sandbox: Sandbox }

export { expect }

/** Whether this is `npm run test:full`, which looks at each page and state in every theme and width. */
export const isFull = process.env.TEST_FULL === '1'

export const password = 'paydesk-demo'
export const emailOf = (role: Role) => `${role}@paydesk.test`

export const test = base.extend<Fixtures, Options & { sessions: (role: Role) => Promise<Entered> }>({
  deskUrl: ['', { option: true, scope: 'worker' }],
  sandboxUrl: ['', { option: true, scope: 'worker' }],
  /** Whether step-ups are answered with the password; a test about them does it itself. */
  confirms: [true, { option: true }],
  baseURL: async ({ deskUrl }, use) => use(deskUrl),

  /** One session for each role and worker, made at the first asking. */
  sessions: [
    async ({ browser, deskUrl }, use) => {
      const kept = new Map<Role, Promise<Entered>>()
      await use((role) => {
        const state = kept.get(role) ?? enter(browser, deskUrl, role)
        kept.set(role, state)
        return state
      })
    },
    { scope: 'worker' },
  ],

  /** What no test may cause: console errors (a refused script or style among them) and uncaught exceptions. */
  troubles: [
    async ({ browserName }, use) => {
      const troubles: string[] = []
      await use(troubles)
      expect(troubles, `errors in ${browserName}`).toEqual([])
    },
    { auto: true },
  ],

  context: async ({ context, troubles, confirms }, use) => {
    await watch(context, troubles)
    if (confirms) answerStepUps(context)
    await use(context)
  },

  /** A page of a signed-in person, in a browser of their own. `fresh` makes a session that no other test shares. */
  signIn: async ({ browser, deskUrl, sessions, troubles, confirms }, use) => {
    const contexts: BrowserContext[] = []
    await use(async (role, { fresh = false } = {}) => {
      const entered = fresh ? await enter(browser, deskUrl, role) : await sessions(role)
      const context = await browser.newContext({ storageState: entered.state })
      contexts.push(context)
      await watch(context, troubles)
      if (confirms) await confirm(context, entered, deskUrl)
      return context.newPage()
    })
    for (const context of contexts) await context.close()
  },

  sandbox: async ({ sandboxUrl, deskUrl, sessions }, use) => {
    const { cookies } = (await sessions('admin')).state
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    const sandbox = sandboxAt(sandboxUrl, async (path, query) => {
      const answer = await fetch(`${deskUrl}${mirrorApiPath('sandbox', path, query)}`, { headers: { cookie } })
      return ((await answer.json()) as { data: { id: string; status: string }[] }).data
    })
    await use(sandbox)
    await sandbox.clearFaults()
  },
})

/** Signs a demo person in as the form does and gives the cookies. Where a test has too many sign in, it comes again. */
async function enter(browser: Browser, deskUrl: string, role: Role): Promise<Entered> {
  const context = await browser.newContext({ baseURL: deskUrl })
  const { csrfToken } = (await (await context.request.get('/api/auth/csrf')).json()) as { csrfToken: string }
  const form = { csrfToken, email: emailOf(role), password, json: 'true' }
  const send = () => context.request.post('/api/auth/callback/credentials', { form, headers: { origin: deskUrl } })
  let status = 0
  const tried = async () => {
    status = (await send()).status()
    return status
  }
  await expect.poll(tried, { message: `${role} is no longer told to come again` }).not.toBe(503)
  expect(status, `${role} signs in`).toBe(200)
  const state = await context.storageState()
  await context.close()
  return { state, confirmedAt: 0 }
}

/** Half of what a password holds for: a test that begins by then ends before it is asked for again. */
const confirmedFor = 150_000

/** Proves the password of a session, so that nothing its test sends is asked for a step-up; where it is asked after all, the dialog is answered. */
async function confirm(context: BrowserContext, entered: Entered, deskUrl: string): Promise<void> {
  answerStepUps(context)
  if (Date.now() - entered.confirmedAt < confirmedFor) return
  entered.confirmedAt = Date.now()
  await confirmAt(context, deskUrl)
}

/** Confirms with the password at a desk, where that holds for what follows in the session. */
export async function confirmAt(context: BrowserContext, deskUrl: string): Promise<void> {
  const post = (path: string, data: object) =>
    context.request.post(`${deskUrl}/api/sandbox/desk${path}`, { headers: { origin: deskUrl }, data })
  const asked = (await (await post('/factors/totp/begin', {})).json()) as { error: WireError }
  await post(`/step-ups/${asked.error.step_up?.challenge}`, { method: 'password', password })
}

/** Where a page asks who is there, types the password. */
function answerStepUps(context: BrowserContext): void {
  context.on('page', (page) => {
    // Looked for before every step of every test: by its id, since to look by role takes the whole page.
    const dialog = page.locator('dialog[aria-labelledby="step-up-title"]')
    const answered = page.addLocatorHandler(dialog, async () => {
      await dialog.getByLabel('Your password').fill(password)
      await dialog.getByRole('button', { name: 'Confirm', exact: true }).click()
    })
    answered.catch(() => undefined)
  })
}

/** Ends the session of a page on the server, as a sign-out in another window or a revocation does; the page keeps its dead cookie. */
export async function endSession(page: Page): Promise<void> {
  const browser = page.context().browser()
  const other = await browser?.newContext({ baseURL: new URL(page.url()).origin, storageState: await page.context().storageState() })
  if (!other) throw new Error('the browser is gone')
  const { csrfToken } = (await (await other.request.get('/api/auth/csrf')).json()) as { csrfToken: string }
  await other.request.post('/api/auth/signout', { form: { csrfToken, json: 'true' }, headers: { origin: new URL(page.url()).origin } })
  await other.close()
}

async function watch(context: BrowserContext, troubles: string[]): Promise<void> {
  context.on('console', (message) => {
    if (message.type() === 'error' && !isPlannedRefusal(message)) troubles.push(`${message.text()} (${message.location().url})`)
  })
  // What a page tries and catches is in no console.
  await context.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => console.error(`Refused by ${effectiveDirective}`)),
  )
  context.on('weberror', (error) => troubles.push(String(error.error())))
}

/** The browser itself notes every answer over 399 and every line that breaks; those a test asks for, the screen tells in its own words. */
function isPlannedRefusal(message: ConsoleMessage): boolean {
  const { pathname } = new URL(message.location().url || 'about:blank')
  if (/^Failed to load resource: net::ERR_INTERNET_DISCONNECTED/.test(message.text())) return true
  if (/^Failed to load resource: net::ERR_INCOMPLETE_CHUNKED_ENCODING/.test(message.text())) return /\/exports\/[a-z_]+$/.test(pathname)
  if (!/^Failed to load resource: the server responded with a status of [45]/.test(message.text())) return false
  return pathname.startsWith('/api/') || message.location().url === message.page()?.url()
}
