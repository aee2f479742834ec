import 'server-only'
import { AppError } from '@/lib/errors'
import { clientOf } from '@/lib/server/audit/client'
import type { DeskRequest } from '@/lib/server/audit/codes'
import { type Asking, recordRefusal } from '@/lib/server/audit/refusals'
import { environmentOf, refuseOtherReaders, refuseOtherSites } from '@/lib/server/guard'
import { respondError } from '@/lib/server/proxy/respond'
import { newRequestId } from '@/lib/server/request-id'
import { requireActor } from '@/lib/server/session'
import type { Actor } from '@/lib/server/session-rows'

/** The person behind a request that was refused before anybody asked who it is: worth knowing where a session came with it. */
const personBehind = (request: Request): Promise<Actor | null> => requireActor(request, { active: false }).catch(() => null)

/**
 * The answer to whatever a handler threw. Every handler ends here, so no refusal of any of them goes without its row in the audit log; `asking`
 * is what had become known by then.
 */
export async function answerError(error: unknown, asking: Asking, request: Request, requestId: string): Promise<Response> {
  const actor = error instanceof AppError && error.code === 'other_site' ? await personBehind(request) : asking.actor
  try {
    await recordRefusal(error, { ...asking, actor: actor ?? null, client: clientOf(request.headers) })
  } catch (unrecorded) {
    return respondError(unrecorded, requestId)
  }
  return respondError(error, requestId)
}

/** A request of a signed-in person that may be answered. `about` notes what it turns out to be about, in case it is refused after all. */
export type Call<P> = {
  request: Request
  params: P
  requestId: string
  actor: Actor
  about: (what: Omit<Asking, 'name' | 'actor'>) => void
}

/** `from`: where the request must come from, on top of its session. `active: false`: screens ask by themselves, which keeps no session alive. */
type Rules = { name: DeskRequest; from?: 'own pages' | 'own readers'; active?: boolean }

type Context<P> = { params: Promise<P | undefined> }

/**
 * A route handler of our own API: an environment that exists, our own pages, a session, then the work; one error shape for all that goes wrong and
 * one audit row for each refusal.
 */
export const handler =
  <P extends object>({ name, from, active = true }: Rules, work: (call: Call<P>) => Promise<Response>) =>
  async (request: Request, context: Context<P>): Promise<Response> => {
    const requestId = newRequestId()
    let asking: Asking = { name }
    try {
      // An address without parameters has none to wait for.
      const params = (await context.params) ?? ({} as P)
      if ('environment' in params) asking.environment = environmentOf(String(params.environment))
      if (from === 'own pages') refuseOtherSites(request)
      if (from === 'own readers') refuseOtherReaders(request)
      const actor = await requireActor(request, { active })
      asking.actor = actor
      const about = (what: Omit<Asking, 'name' | 'actor'>) => {
        asking = { ...asking, ...what }
      }
      return await work({ request, params, requestId, actor, about })
    } catch (error) {
      return answerError(error, asking, request, requestId)
    }
  }
