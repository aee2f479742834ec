import 'server-only'
import { rolesText } from '@/lib/domain/permissions'
import { AppError } from '@/lib/errors'
import type { CustomerSummary } from '@/lib/operations/customers.schema'
import { type Environment, logReaders } from '@/lib/operations/define'
import type { Finding } from '@/lib/operations/find'
import { findTraces } from './find-trace'
import { environmentOf, permit } from './guard'
import { handler } from './http/handler'
import { parseInput } from './proxy/input'
import { respond } from './proxy/respond'
import { readService } from './proxy/service-read'
import type { Actor } from './session-rows'

/** As long as anything that can be looked for: keys of 40, ids of 64, e-mail addresses of 254 characters. */
const longest = 254

/** What is looked for, out of its header. Throws `invalid_input` naming it. */
function textIn(request: Request): string {
  const given = request.headers.get('find-text') ?? ''
  const detail = `must be 3 to ${longest} characters, percent-encoded`
  const bad = new AppError('invalid_input', `Find-Text: ${detail}`, { items: [{ reference: 'Find-Text', detail }] })
  try {
    const text = decodeURIComponent(given).trim()
    if (text.length >= 3 && text.length <= longest) return text
  } catch {
    throw bad
  }
  throw bad
}

async function customersBy(email: string, actor: Actor, environment: Environment, account: string | null): Promise<CustomerSummary[]> {
  const scope = await permit(actor, { environment, operation: 'customers.by_email', account, target: null })
  const input = parseInput('customers.by_email', { email }) as { email: string }
  return (await readService('customers.by_email', input, scope)).data
}

async function find(actor: Actor, environment: Environment, account: string | null, text: string): Promise<Finding> {
  if (text.includes('@')) return { traces: [], customers: await customersBy(text, actor, environment, account), unsearched: [] }
  const { traces, log } = await findTraces(actor, environment, text)
  const unsearched = log ? [] : [{ what: 'the request log', why: `Only ${rolesText(logReaders)} can read it.` }]
  return { traces, customers: [], unsearched }
}

/**
 * Serves the question what a text is on this desk: traces by their exact ids, and customers by e-mail in the scope of `account`. The text comes
 * in a header, so that an e-mail never stands in a URL. Reads only.
 */
export const serveFind = handler<{ environment: string }>({ name: 'find.search' }, async ({ request, params, actor, requestId }) => {
  const environment = environmentOf(params.environment)
  if (!actor.grants.some((grant) => grant.environment === environment))
    throw new AppError('forbidden', `You have no role in ${environment}`)
  const account = new URL(request.url).searchParams.get('account')
  const data = await find(actor, environment, account, textIn(request))
  return respond(200, { response_type: 'object', meta: { request_id: requestId, read_at: new Date().toISOString() }, data })
})
