import 'server-only'
import { formatDuration, formatRelativeTime } from '@/lib/dates'
import { type Environment, environments } from '@/lib/operations/define'
import { getServiceOperation } from '@/lib/operations/service-operations'
import { env } from '@/lib/server/config/env'
import { parseJsonBody } from '@/lib/server/service/answer'
import { getKeyFingerprint } from '@/lib/server/service/client'
import { limitFaults } from '@/lib/server/service/faults'
import {
  type CheckClient,
  type CheckReadResult,
  faultTexts,
  isHtml,
  isRedirect,
  isSuccess,
  isTransient,
  type Reply,
  toRefusalText,
} from './check-client'
import { filterReads } from './operations'
import { type ProbeResult, type Probes, reportMatch, reportMismatch, reportUnknown } from './probe'

function toPathAdvice(url: URL, setting: string): string {
  const path = url.pathname.replace(/\/$/, '')
  if (path.endsWith('/v1')) return `leave /v1 out of ${setting}: it is added to every request`
  return path === ''
    ? `check ${setting}: it may lack a path, or be another server`
    : `check ${setting}: its path ${path} may be wrong`
}

function toRedirectAdvice(location = '', url: URL, setting: string): string {
  const redirectUrl = URL.canParse(location, url) ? new URL(location, url) : url
  return `set ${setting} to where it leads${redirectUrl.origin === url.origin ? '' : ` (${redirectUrl.origin}), if that is your service`}`
}

/** A fault on our own side shows nothing about the address. */
function assessAddress(reply: Reply, url: URL, setting: string): ProbeResult {
  if (reply.kind === 'fault') {
    const faultText = faultTexts[reply.fault]
    if (limitFaults.has(reply.fault) || reply.fault === 'reader_gone')
      return reportUnknown(faultText)
    return reportMismatch(faultText, `check ${setting}, and whether this machine may reach it`)
  }
  if (isRedirect(reply))
    return reportMismatch(
      toRefusalText(reply),
      toRedirectAdvice(reply.headers.location, url, setting),
    )
  if (isTransient(reply)) return reportUnknown(toRefusalText(reply))
  if (isHtml(reply))
    return reportMismatch(
      `answers ${reply.status} with an HTML page, not with data`,
      toPathAdvice(url, setting),
    )
  return reply.status === 404
    ? reportMismatch('there is no such address', toPathAdvice(url, setting))
    : reportMatch('answers')
}

/**
 * Accepted difference between the two clocks. The duration of the request adds some uncertainty to
 * it.
 */
const clockToleranceMs = 60_000

const parseTime = (text: unknown): number =>
  typeof text === 'string'
    ? Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`)
    : Number.NaN

/**
 * Returns how far the clock of the service is ahead of ours, in milliseconds. Our time is that of
 * the middle of the request.
 */
function listClockDifferences({ reply }: CheckReadResult) {
  if (reply.kind !== 'answer') return []
  const { api_request_timestamp } = (parseJsonBody(reply)?.meta ?? {}) as {
    api_request_timestamp?: unknown
  }
  return [
    { source: 'Date header', time: Date.parse(reply.headers.date ?? ''), precision: 1000 },
    { source: 'meta.api_request_timestamp', time: parseTime(api_request_timestamp), precision: 0 },
  ].flatMap(({ source, time, precision }) => {
    const difference = time + precision / 2 - (reply.sentAt + reply.tookMs / 2)
    return Number.isNaN(time)
      ? []
      : [{ source, difference, uncertainty: (reply.tookMs + precision) / 2 }]
  })
}

function toClockText({
  source,
  difference,
  uncertainty,
}: ReturnType<typeof listClockDifferences>[number]): string {
  const absoluteDifference = Math.abs(difference)
  if (absoluteDifference <= uncertainty + 1000) return `${source}: the same as ours`
  return `${source}: ${formatDuration(absoluteDifference)} ${difference > 0 ? 'ahead of' : 'behind'} ours`
}

export const connectionProbes: Probes = {
  Address: ({ talk, service, settingPrefix }) => {
    const url = new URL(service.url)
    const [first] = talk.reads
    const addressResult = first
      ? assessAddress(first.reply, url, `${settingPrefix}_URL`)
      : reportUnknown('not asked')
    return { ...addressResult, text: `${url.origin}: ${addressResult.text}` }
  },
  Encryption: ({ service }) =>
    reportMatch(
      new URL(service.url).protocol === 'http:'
        ? 'none: plain HTTP, which stays on this machine'
        : 'TLS',
    ),
  // For each of the two places with a time, use the fastest response: it is the most precise.
  Clock: ({ talk }) => {
    const allClockDifferences = talk.reads
      .flatMap(listClockDifferences)
      .sort((one, other) => one.uncertainty - other.uncertainty)
    const mostPreciseDifferences = allClockDifferences.filter(
      ({ source }, at) => allClockDifferences.findIndex((each) => each.source === source) === at,
    )
    if (mostPreciseDifferences.length === 0) return reportUnknown('no answer says what time it is')
    const clockDifferencesText = mostPreciseDifferences.map(toClockText).join('; ')
    const isClockOff = mostPreciseDifferences.some(
      ({ difference, uncertainty }) => Math.abs(difference) > clockToleranceMs + uncertainty,
    )
    return isClockOff
      ? reportMismatch(
          clockDifferencesText,
          'set the clock of this machine by a time server, or ask the service about its own',
        )
      : reportMatch(clockDifferencesText)
  },
}

type KeyClaims = Readonly<Record<string, unknown>>

/** Null if the key is not a JWT. Not verified, because only the service can do that. */
function parseClaims(key: string): KeyClaims | null {
  const segments = key.split('.')
  if (segments.length !== 3) return null
  try {
    const value: unknown = JSON.parse(Buffer.from(segments[1] ?? '', 'base64url').toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as KeyClaims)
      : null
  } catch {
    return null
  }
}

const environmentPatterns: Readonly<Record<Environment, RegExp>> = {
  sandbox: /^(?:sandbox|test|testing|development|dev)$/i,
  production: /^(?:production|prod|live)$/i,
}

function findKeyEnvironment(claims: KeyClaims): Environment | undefined {
  const environmentClaims = Object.entries(claims).flatMap(([name, value]) =>
    /(?:^|[^a-z])(?:env|environment|mode)$/i.test(name) && typeof value === 'string' ? [value] : [],
  )
  return environments.find((environment) =>
    environmentClaims.some((word) => environmentPatterns[environment].test(word)),
  )
}

/** In milliseconds. Null if the key has no such claim. */
function readClaimTime(claims: KeyClaims, name: 'iat' | 'nbf' | 'exp'): number | null {
  const seconds = claims[name]
  return typeof seconds === 'number' && seconds > 0 && seconds < 1e11 ? seconds * 1000 : null
}

const toDayText = (time: number): string => new Date(time).toISOString().slice(0, 10)
const expiryWarningMs = 14 * 86_400_000

const filterByStatus = (reads: readonly CheckReadResult[], status: number): CheckReadResult[] =>
  reads.filter(({ reply }) => reply.kind === 'answer' && reply.status === status)

const hasSuccessfulRead = ({ reads }: CheckClient): boolean =>
  reads.some(({ reply }) => isSuccess(reply))

const getVerbPhrase = ({ operation }: CheckReadResult): string =>
  getServiceOperation(operation).verbPhrase

export const keyProbes: Probes = {
  Fingerprint: ({ environment }) => reportMatch(getKeyFingerprint(environment)),
  Environment: ({ service, environment, settingPrefix }) => {
    const claims = parseClaims(service.apiKey)
    if (!claims) return reportUnknown('the key is no JWT, so it carries no details')
    const keyEnvironment = findKeyEnvironment(claims)
    if (!keyEnvironment) return reportUnknown('the key names none')
    if (keyEnvironment === environment) return reportMatch(`the key says ${keyEnvironment}`)
    return reportMismatch(
      `the key says ${keyEnvironment}`,
      `set ${settingPrefix}_API_KEY to a key of ${environment}`,
    )
  },
  Expiry: ({ service, settingPrefix, now }) => {
    const claims = parseClaims(service.apiKey)
    if (!claims) return reportUnknown('the key is no JWT')
    const [issued, begins, ends] = [
      readClaimTime(claims, 'iat'),
      readClaimTime(claims, 'nbf'),
      readClaimTime(claims, 'exp'),
    ]
    const issuedText = issued
      ? `issued ${toDayText(issued)} (${formatRelativeTime(new Date(issued).toISOString(), now)})`
      : 'no time of issue'
    if (ends && ends <= now)
      return reportMismatch(
        `expired ${toDayText(ends)}; ${issuedText}`,
        `set ${settingPrefix}_API_KEY to a new key`,
      )
    if (begins && begins > now + 60_000) {
      return reportMismatch(
        `not valid before ${new Date(begins).toISOString()}`,
        'wait until then, or set the clock of this machine',
      )
    }
    if (!ends) return reportUnknown(`the key names no end; ${issuedText}`)
    return reportMatch(
      `expires ${toDayText(ends)}; ${issuedText}${ends - now < expiryWarningMs ? `: replace the key within ${formatDuration(ends - now)}` : ''}`,
    )
  },
  Accepted: ({ talk, settingPrefix }) => {
    const [refusedRead] = filterByStatus(talk.reads, 401)
    const advice = `set ${settingPrefix}_API_KEY to a valid key of this environment`
    if (refusedRead)
      return reportMismatch(`refused (401) when asked to ${getVerbPhrase(refusedRead)}`, advice)
    return hasSuccessfulRead(talk)
      ? reportMatch('by the service')
      : reportUnknown('the service answered no read')
  },
  'Rights to read': ({ talk }) => {
    const forbiddenPhrases = [...new Set(filterByStatus(talk.reads, 403).map(getVerbPhrase))].join(
      ', ',
    )
    const advice =
      'ask the service for a key with these rights, or do without the pages that need them'
    if (forbiddenPhrases) return reportMismatch(`the key may not: ${forbiddenPhrases}`, advice)
    return hasSuccessfulRead(talk)
      ? reportMatch('nothing that was asked is forbidden; what it may write is not tried')
      : reportUnknown('nothing was read')
  },
  // An account is free to forbid the reveal of masked data, so this probe never reports a fault.
  'Reveal of masked data': ({ talk }) => {
    const accountSettings = filterReads(talk.reads, 'account_settings.get').flatMap(({ parsed }) =>
      parsed ? [parsed.data] : [],
    )
    const allowUnmaskFlags = (
      accountSettings as { configuration?: { allow_data_unmask?: boolean } }[]
    ).map((each) => each.configuration?.allow_data_unmask)
    if (allowUnmaskFlags.every((flag) => flag === undefined))
      return reportUnknown('no account says whether it allows it')
    const unmaskAllowedCount = allowUnmaskFlags.filter((flag) => flag === true).length
    return reportMatch(
      `allowed by ${unmaskAllowedCount} of ${allowUnmaskFlags.length} ${allowUnmaskFlags.length === 1 ? 'account' : 'accounts'} asked`,
    )
  },
}

export const webhookProbes: Probes = {
  'Webhook secret': ({ environment, settingPrefix }) => {
    if (env().embedded) return reportMatch('none is needed with the embedded sandbox')
    const hasWebhookSecrets = env().webhooks[environment].secrets.length > 0
    return hasWebhookSecrets
      ? reportMatch('set and well-formed')
      : reportUnknown(`not set (${settingPrefix}_WEBHOOK_SECRET)`)
  },
}
