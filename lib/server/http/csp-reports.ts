import 'server-only'
import * as z from 'zod'
import { AppError } from '@/lib/errors'
import { metrics } from '@/lib/server/counters'
import { log } from '@/lib/server/log'
import { createRequestId } from '@/lib/server/service/request'
import { readCappedText } from './input'
import { respondError } from './respond'

/** A browser sends a few hundred bytes per violation, and up to 100 violations together. */
const maxReportBytes = 32_768

/** Anyone can send reports without a session. Reports over this limit are only counted. */
const maxReportsPerMinute = 120

/**
 * Our policy's directives, and the more specific ones that browsers report instead. Other names may
 * be forged and count as `other`.
 */
const knownDirectives: ReadonlySet<string> = new Set([
  ...[
    'default-src',
    'script-src',
    'script-src-elem',
    'script-src-attr',
    'style-src',
    'style-src-elem',
    'style-src-attr',
    'img-src',
  ],
  ...[
    'font-src',
    'connect-src',
    'frame-src',
    'manifest-src',
    'media-src',
    'object-src',
    'worker-src',
    'child-src',
    'base-uri',
  ],
  ...['form-action', 'frame-ancestors'],
])

const legacyReportShape = z.object({
  'csp-report': z.object({
    'effective-directive': z.string().optional(),
    'violated-directive': z.string().optional(),
  }),
})
const reportListShape = z
  .array(z.object({ type: z.string(), body: z.object({ effectiveDirective: z.string() }) }))
  .max(100)

/**
 * Accepts the older and the newer report format of browsers. Returns only the violated directives:
 * URLs in a report may contain search terms.
 */
function parseViolatedDirectives(text: string): string[] {
  const report: unknown = JSON.parse(text)
  const legacyReportResult = legacyReportShape.safeParse(report)
  if (legacyReportResult.success) {
    const { 'effective-directive': effective, 'violated-directive': violated = '' } =
      legacyReportResult.data['csp-report']
    return [effective ?? violated.split(' ')[0] ?? '']
  }
  return reportListShape
    .parse(report)
    .flatMap(({ type, body }) => (type === 'csp-violation' ? [body.effectiveDirective] : []))
}

let currentReportWindow = { from: 0, read: 0 }

function isOverReportLimit(): boolean {
  const now = performance.now()
  if (now - currentReportWindow.from >= 60_000) currentReportWindow = { from: now, read: 0 }
  currentReportWindow.read += 1
  return currentReportWindow.read > maxReportsPerMinute
}

async function readViolatedDirectives(request: Request): Promise<string[]> {
  if (request.method !== 'POST') throw new AppError('method_not_allowed', 'This address takes POST')
  if (isOverReportLimit())
    throw new AppError('too_many', 'Too many reports: the rest of this minute is not read', {
      retryAfter: 60,
    })
  const text = await readCappedText(request, maxReportBytes)
  try {
    return parseViolatedDirectives(text)
  } catch {
    throw new AppError('bad_request', 'The body is not a report of a content security policy')
  }
}

/** Needs no session: the sign-in page has a policy too, and a report names no person. */
export async function receiveCspReport(request: Request): Promise<Response> {
  try {
    for (const violated of await readViolatedDirectives(request)) {
      const directive = knownDirectives.has(violated) ? violated : 'other'
      metrics.cspReports.inc({ directive })
      log.warn({ event: 'csp.violated', code: directive })
    }
    return new Response(null, { status: 204 })
  } catch (error) {
    if (error instanceof AppError) metrics.cspReports.inc({ directive: 'not_read' })
    const response = respondError(error, createRequestId())
    if (error instanceof AppError && error.code === 'method_not_allowed')
      response.headers.set('allow', 'POST')
    return response
  }
}
