import { type Browser, type BrowserContext, test as base, type ConsoleMessage, expect, type Page } from '@playwright/test'
import type { Role } from '@/lib/operations/define'
import { mirrorApiPath } from '@/lib/routes'
import { type Sandbox, sandboxAt } from './sandbox'

type Options = { deskUrl: string; sandboxUrl: string }
type State = Awaited<ReturnType<BrowserContext['storageState']>>
type SignIn = (role: Role, options?: { fresh?: boolean }) => Promise<Page>
type Fixtures = { troubles: string[]; signIn: SignIn; sandbox: Sandbox }

export { expect }

export const password = 'paydesk-demo'
export const emailOf = (role: Role) => `${role}@paydesk.test`

export const test = base.extend<Fixtures, Options & { sessions: (role: Role) => Promise<State> }>({
  deskUrl: ['', { option: true, scope: 'worker' }],
  sandboxUrl: ['', { option: true, scope: 'worker' }],
  baseURL: async ({ deskUrl }, use) => use(deskUrl),

  /** One session for each role and worker, made at the first asking. */
  sessions: [
    async ({ browser, deskUrl }, use) => {
      const kept = new Map<Role, Promise<State>>()
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

  context: async ({ context, troubles }, use) => {
    await watch(context, troubles)
    await use(context)
  },

  /** A page of a signed-in person, in a browser of their own. `fresh` makes a session that no other test shares. */
  signIn: async ({ browser, deskUrl, sessions, troubles }, use) => {
    const contexts: BrowserContext[] = []
    await use(async (role, { fresh = false } = {}) => {
      const storageState = fresh ? await enter(browser, deskUrl, role) : await sessions(role)
      const context = await browser.newContext({ storageState })
      contexts.push(context)
      await watch(context, troubles)
      return context.newPage()
    })
    for (const context of contexts) await context.close()
  },

  sandbox: async ({ sandboxUrl, deskUrl, sessions }, use) => {
    const { cookies } = await sessions('admin')
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
async function enter(browser: Browser, deskUrl: string, role: Role): Promise<State> {
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
  return state
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
