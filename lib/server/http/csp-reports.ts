import 'server-only'
import * as z from 'zod'
import { AppError } from '@/lib/errors'
import { counted } from '@/lib/server/counted'
import { log } from '@/lib/server/log'
import { newRequestId } from '@/lib/server/service/request'
import { readCapped } from './input'
import { respondError } from './respond'

/** A browser sends a few hundred bytes for each thing it refused, and up to a hundred of them together (bytes). */
const mostBytes = 32_768

/** Anybody may send one, without a session. So many a minute are read, by this process; the rest are only counted. */
const mostAMinute = 120

/** Every directive of our policy and the finer ones that browsers name in their place; any other word is one that a stranger made up. */
const directives: ReadonlySet<string> = new Set([
  ...['default-src', 'script-src', 'script-src-elem', 'script-src-attr', 'style-src', 'style-src-elem', 'style-src-attr', 'img-src'],
  ...['font-src', 'connect-src', 'frame-src', 'manifest-src', 'media-src', 'object-src', 'worker-src', 'child-src', 'base-uri'],
  ...['form-action', 'frame-ancestors'],
])

const classic = z.object({
  'csp-report': z.object({ 'effective-directive': z.string().optional(), 'violated-directive': z.string().optional() }),
})
const gathered = z.array(z.object({ type: z.string(), body: z.object({ effectiveDirective: z.string() }) })).max(100)

/** What was violated, in either form that browsers send. Nothing else is taken out of a report: addresses in it may hold what somebody searched for. */
function violatedIn(text: string): string[] {
  const report: unknown = JSON.parse(text)
  const one = classic.safeParse(report)
  if (one.success) {
    const { 'effective-directive': effective, 'violated-directive': violated = '' } = one.data['csp-report']
    return [effective ?? violated.split(' ')[0] ?? '']
  }
  return gathered.parse(report).flatMap(({ type, body }) => (type === 'csp-violation' ? [body.effectiveDirective] : []))
}

let minute = { from: 0, read: 0 }

function isTooMany(): boolean {
  const now = performance.now()
  if (now - minute.from >= 60_000) minute = { from: now, read: 0 }
  minute.read += 1
  return minute.read > mostAMinute
}

async function take(request: Request): Promise<string[]> {
  if (request.method !== 'POST') throw new AppError('method_not_allowed', 'This address takes POST')
  if (isTooMany()) throw new AppError('too_many', 'Too many reports: the rest of this minute is not read', { retryAfter: 60 })
  const text = await readCapped(request, mostBytes)
  try {
    return violatedIn(text)
  } catch {
    throw new AppError('bad_request', 'The body is not a report of a content security policy')
  }
}

/**
 * Takes what browsers report of our content security policy, as the names of directives and figures. No session is asked for: the sign-in page has a policy
 * too, and browsers send reports without telling who sits before them.
 */
export async function receiveCspReport(request: Request): Promise<Response> {
  try {
    for (const violated of await take(request)) {
      const directive = directives.has(violated) ? violated : 'other'
      counted.cspReports.inc({ directive })
      log.warn({ event: 'csp.violated', code: directive })
    }
    return new Response(null, { status: 204 })
  } catch (error) {
    if (error instanceof AppError) counted.cspReports.inc({ directive: 'not_read' })
    const response = respondError(error, newRequestId())
    if (error instanceof AppError && error.code === 'method_not_allowed') response.headers.set('allow', 'POST')
    return response
  }
}
