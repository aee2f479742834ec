import 'server-only'
import type { Environment } from '@/lib/operations/define'
import type { ServiceFinding } from '@/lib/operations/service-check'
import type { CheckClient } from './check-client'

export type ProbeResult = Pick<ServiceFinding, 'verdict' | 'text' | 'set'>

export const reportMatch = (text: string): ProbeResult => ({ verdict: 'fits', text })
export const reportMismatch = (text: string, advice?: string): ProbeResult => ({
  verdict: 'does_not_fit',
  text,
  ...(advice ? { set: advice } : {}),
})
export const reportUnknown = (text: string): ProbeResult => ({ verdict: 'cannot_tell', text })

export type ProbeContext = {
  talk: CheckClient
  environment: Environment
  service: { url: string; apiKey: string }
  /** Prefix of the service's settings, such as `SERVICE_SANDBOX`. */
  settingPrefix: string
  /** Start of the check, in milliseconds. */
  now: number
  /** Results for the account header and for its prefix. Both come from the same requests. */
  account: { header: ProbeResult; prefix: ProbeResult }
}

/** Probes by the label of their finding, in report order. A probe may send further reads. */
export type Probes = Readonly<
  Record<string, (probeContext: ProbeContext) => ProbeResult | Promise<ProbeResult>>
>

export async function runProbes(
  probes: Probes,
  probeContext: ProbeContext,
): Promise<ServiceFinding[]> {
  const findings: ServiceFinding[] = []
  for (const [label, probe] of Object.entries(probes))
    findings.push({ label, ...(await probe(probeContext)) })
  return findings
}
