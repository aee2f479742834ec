import 'server-only'
import { agoText, lengthText } from '@/lib/dates'
import { type Environment, environments } from '@/lib/operations/define'
import type { Finding } from '@/lib/operations/service-check'
import { resourceOf, serviceOperation } from '@/lib/operations/service-operations'
import { jsonOf } from '@/lib/server/service/answer'
import type { Fault } from '@/lib/server/service/faults'
import { type Answered, faultWords, isHtml, isPassing, isSuccess, type Read, type Reply, refusalWords } from './conversation'

/** Accepted clock difference (milliseconds), in addition to the uncertainty of the round trip. */
const tolerance = 60_000

const pathOf = (url: string): string => new URL(url).pathname.replace(/\/$/, '')

function addressAdvice(url: string, setting: string): string {
  const path = pathOf(url)
  if (/\/v1$/.test(path)) return `leave /v1 out of ${setting}: it is added to every request`
  return path === '' ? `check ${setting}: it may lack a path, or be another server` : `check ${setting}: its path ${path} may be wrong`
}

function redirectAdvice(answer: Answered, url: string, setting: string): string {
  const to = answer.headers.location ?? ''
  const target = URL.canParse(to, url) ? new URL(to, url) : null
  if (!target || target.origin === new URL(url).origin) return `set ${setting} to where it leads`
  return `set ${setting} to where it leads (${target.origin}), if that is your service`
}

/** Faults on our own side, which prove nothing about the address. */
const heldBack: readonly Fault[] = ['over_budget', 'over_quota', 'budget_unknown', 'reader_gone']

type Told = Pick<Finding, 'verdict' | 'text' | 'set'>

function faultTold(fault: Fault, setting: string): Told {
  const text = faultWords(fault)
  if (heldBack.includes(fault)) return { verdict: 'cannot_tell', text }
  return { verdict: 'does_not_fit', text, set: `check ${setting}, and whether this machine may reach it` }
}

function answerTold(answer: Reply & Answered, url: string, setting: string): Told {
  const { status } = answer
  if (status >= 300 && status <= 399) {
    return { verdict: 'does_not_fit', text: refusalWords(answer, 'read'), set: redirectAdvice(answer, url, setting) }
  }
  if (isPassing(answer)) return { verdict: 'cannot_tell', text: refusalWords(answer, 'read') }
  if (isHtml(answer)) {
    const text = `answers ${status} with an HTML page, not with data`
    return { verdict: 'does_not_fit', text, set: addressAdvice(url, setting) }
  }
  if (status === 404) return { verdict: 'does_not_fit', text: 'there is no such address', set: addressAdvice(url, setting) }
  return { verdict: 'fits', text: 'answers' }
}

/** Checks that the service is at the configured address, by its first response. `setting` is the name of the address setting. */
export function addressFinding(first: Reply, url: string, setting: string): Finding {
  const outcome = first.kind === 'fault' ? faultTold(first.fault, setting) : answerTold(first, url, setting)
  return { label: 'Address', ...outcome, text: `${new URL(url).origin}: ${outcome.text}` }
}

export function encryptionFinding(url: string): Finding {
  const isPlain = new URL(url).protocol === 'http:'
  return { label: 'Encryption', verdict: 'fits', text: isPlain ? 'none: plain HTTP, which stays on this machine' : 'TLS' }
}

type Difference = { source: string; milliseconds: number; uncertain: number }

/**
 * Returns the difference between a time of the service and ours at the middle of the round trip. `grain` is the precision of that time
 * (milliseconds).
 */
function differenceTo(source: string, at: number, grain: number, { sentAt, tookMs }: Reply): Difference[] {
  if (Number.isNaN(at)) return []
  return [{ source, milliseconds: at + grain / 2 - (sentAt + tookMs / 2), uncertain: tookMs / 2 + grain / 2 }]
}

const timeIn = (text: unknown): number =>
  typeof text === 'string' ? Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`) : Number.NaN

function differencesIn(reply: Reply): Difference[] {
  if (reply.kind !== 'answer') return []
  const meta = (jsonOf(reply)?.meta ?? {}) as { api_request_timestamp?: unknown }
  return [
    ...differenceTo('Date header', Date.parse(reply.headers.date ?? ''), 1000, reply),
    ...differenceTo('meta.api_request_timestamp', timeIn(meta.api_request_timestamp), 0, reply),
  ]
}

function differenceText({ source, milliseconds, uncertain }: Difference): string {
  const size = Math.abs(milliseconds)
  if (size <= uncertain + 1000) return `${source}: the same as ours`
  return `${source}: ${lengthText(size)} ${milliseconds > 0 ? 'ahead of' : 'behind'} ours`
}

/** Compares the service's clock with ours, using the fastest response with each kind of time. */
export function clockFinding(replies: readonly Reply[]): Finding {
  const found = replies.flatMap(differencesIn).sort((one, other) => one.uncertain - other.uncertain)
  const best = found.filter(({ source }, at) => found.findIndex((each) => each.source === source) === at)
  if (best.length === 0) return { label: 'Clock', verdict: 'cannot_tell', text: 'no answer says what time it is' }
  const off = best.some(({ milliseconds, uncertain }) => Math.abs(milliseconds) > tolerance + uncertain)
  return {
    label: 'Clock',
    verdict: off ? 'does_not_fit' : 'fits',
    text: best.map(differenceText).join('; '),
    ...(off ? { set: 'set the clock of this machine by a time server, or ask the service about its own' } : {}),
  }
}

type Claims = Readonly<Record<string, unknown>>

/** Returns the claims of a key that is a JWT, unverified: only the service can verify them. Null for any other key. */
function claimsIn(key: string): Claims | null {
  const segments = key.split('.')
  if (segments.length !== 3) return null
  try {
    const value: unknown = JSON.parse(Buffer.from(segments[1] ?? '', 'base64url').toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Claims) : null
  } catch {
    return null
  }
}

const words: Readonly<Record<Environment, RegExp>> = {
  sandbox: /^(?:sandbox|test|testing|development|dev)$/i,
  production: /^(?:production|prod|live)$/i,
}

function environmentIn(claims: Claims): Environment | null {
  const named = Object.entries(claims).filter(([name]) => /(?:^|[^a-z])(?:env|environment|mode)$/i.test(name))
  return environments.find((environment) => named.some(([, value]) => typeof value === 'string' && words[environment].test(value))) ?? null
}

const secondsIn = (claims: Claims, name: string): number | null => {
  const value = claims[name]
  return typeof value === 'number' && value > 0 && value < 1e11 ? value * 1000 : null
}

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)
const expirySoon = 14 * 86_400_000

function environmentFinding(claims: Claims | null, environment: Environment, setting: string): Finding {
  const label = 'Environment'
  const named = claims && environmentIn(claims)
  if (!named) return { label, verdict: 'cannot_tell', text: claims ? 'the key names none' : 'the key is no JWT, so it carries no details' }
  if (named === environment) return { label, verdict: 'fits', text: `the key says ${named}` }
  return { label, verdict: 'does_not_fit', text: `the key says ${named}`, set: `set ${setting} to a key of ${environment}` }
}

function lifeFinding(claims: Claims | null, now: number, setting: string): Finding {
  const label = 'Expiry'
  const [issued, begins, ends] = ['iat', 'nbf', 'exp'].map((name) => claims && secondsIn(claims, name))
  const since = issued ? `issued ${dayOf(issued)} (${agoText(new Date(issued).toISOString(), now)})` : 'no time of issue'
  if (ends && ends <= now) {
    return { label, verdict: 'does_not_fit', text: `expired ${dayOf(ends)}; ${since}`, set: `set ${setting} to a new key` }
  }
  if (begins && begins > now + 60_000) {
    const set = 'wait until then, or set the clock of this machine'
    return { label, verdict: 'does_not_fit', text: `not valid before ${new Date(begins).toISOString()}`, set }
  }
  if (!ends) return { label, verdict: 'cannot_tell', text: claims ? `the key names no end; ${since}` : 'the key is no JWT' }
  const soon = ends - now < expirySoon ? `: replace the key within ${lengthText(ends - now)}` : ''
  return { label, verdict: 'fits', text: `expires ${dayOf(ends)}; ${since}${soon}` }
}

const statusOf = ({ reply }: Read): number => (reply.kind === 'answer' ? reply.status : 0)

function acceptedFinding(reads: readonly Read[], setting: string): Finding {
  const label = 'Accepted'
  const refused = reads.find((read) => statusOf(read) === 401)
  if (refused) {
    return {
      label,
      verdict: 'does_not_fit',
      text: `refused (401) when asked to ${serviceOperation(refused.operation).verbPhrase}`,
      set: `set ${setting} to a valid key of this environment`,
    }
  }
  if (reads.some(({ reply }) => isSuccess(reply))) return { label, verdict: 'fits', text: 'by the service' }
  return { label, verdict: 'cannot_tell', text: 'the service answered no read' }
}

function rightsFinding(reads: readonly Read[]): Finding {
  const label = 'Rights to read'
  const forbidden = [...new Set(reads.filter((read) => statusOf(read) === 403).map(({ operation }) => operation))]
  if (forbidden.length > 0) {
    return {
      label,
      verdict: 'does_not_fit',
      text: `the key may not: ${forbidden.map((operation) => serviceOperation(operation).verbPhrase).join(', ')}`,
      set: 'ask the service for a key with these rights, or do without the pages that need them',
    }
  }
  const read = reads.filter(({ reply }) => isSuccess(reply)).length
  if (read === 0) return { label, verdict: 'cannot_tell', text: 'nothing was read' }
  return { label, verdict: 'fits', text: 'nothing that was asked is forbidden; what it may write is not tried' }
}

type Settings = { configuration?: { allow_data_unmask?: boolean } }

/** Reports if the accounts allow the reveal of masked data. To forbid it is an account's choice and no fault. */
function unmaskFinding(reads: readonly Read[]): Finding {
  const label = 'Reveal of masked data'
  const unmaskFlags = reads
    .filter(({ operation }) => resourceOf(operation) === 'account_settings')
    .flatMap(({ reading }) => (reading ? [(reading.data as Settings).configuration?.allow_data_unmask] : []))
  const allowed = unmaskFlags.filter((each) => each === true).length
  if (unmaskFlags.every((each) => each === undefined))
    return { label, verdict: 'cannot_tell', text: 'no account says whether it allows it' }
  return {
    label,
    verdict: 'fits',
    text: `allowed by ${allowed} of ${unmaskFlags.length} ${unmaskFlags.length === 1 ? 'account' : 'accounts'} asked`,
  }
}

/** The key to check. Only its fingerprint is shown. */
type KeyAsked = { key: string; fingerprint: string; environment: Environment; setting: string; now: number }

/** Returns the findings about a key: its own claims, and how the service treats it. `now` is in milliseconds. */
export function keyFindings({ key, fingerprint, environment, setting, now }: KeyAsked, reads: readonly Read[]): Finding[] {
  const claims = claimsIn(key)
  return [
    { label: 'Fingerprint', verdict: 'fits', text: fingerprint },
    environmentFinding(claims, environment, setting),
    lifeFinding(claims, now, setting),
    acceptedFinding(reads, setting),
    rightsFinding(reads),
    unmaskFinding(reads),
  ]
}
