import 'server-only'
import type { Environment } from '@/lib/operations/define'
import type { ServiceFinding } from '@/lib/operations/service-check'
import type { CheckClient } from './check-client'

export type ProbeResult = Pick<ServiceFinding, 'verdict' | 'text' | 'set'>

export const matchResult = (text: string): ProbeResult => ({ verdict: 'fits', text })
export const mismatchResult = (text: string, set?: string): ProbeResult => ({ verdict: 'does_not_fit', text, ...(set ? { set } : {}) })
export const unknownResult = (text: string): ProbeResult => ({ verdict: 'cannot_tell', text })

/** The facts that the probes check. */
export type ProbeContext = {
  talk: CheckClient
  environment: Environment
  service: { url: string; apiKey: string }
  /** Prefix of the service's settings, such as `SERVICE_SANDBOX`. */
  settingPrefix: string
  /** Start of the check, in milliseconds. */
  now: number
  /** Results for the account header and its prefix, which are tried together. */
  account: { header: ProbeResult; prefix: ProbeResult }
}

/** Probes by the label of their finding, in the order of the report. A probe may send further reads. */
export type Probes = Readonly<Record<string, (check: ProbeContext) => ProbeResult | Promise<ProbeResult>>>

export async function runProbes(probes: Probes, check: ProbeContext): Promise<ServiceFinding[]> {
  const findings: ServiceFinding[] = []
  for (const [label, probe] of Object.entries(probes)) findings.push({ label, ...(await probe(check)) })
  return findings
}
