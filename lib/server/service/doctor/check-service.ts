import 'server-only'
import type { ServiceReport } from '@/lib/operations/service-check'
import type { ScopedAccount } from '@/lib/server/auth/scoped-account'
import { env } from '@/lib/server/config/env'
import { requireServiceAddress } from '@/lib/server/service/client'
import { checkAccountHeader } from './account-header'
import { CheckClient, createCheckRequestSender } from './check-client'
import { connectionProbes, keyProbes, webhookProbes } from './connection-probes'
import { listOperationFindings, readSamples } from './operations'
import { type ProbeContext, reportUnknown, runProbes } from './probe'
import { settingProbes } from './setting-probes'

/**
 * Sends only reads, one after another. No response makes it throw. The report contains only field
 * names, counts and times, never data from responses.
 */
export async function checkService(
  scope: ScopedAccount,
  signal?: AbortSignal,
): Promise<ServiceReport> {
  const { environment } = scope
  const [startedAt, begin] = [new Date(), performance.now()]
  const checkClient = new CheckClient(createCheckRequestSender(scope, signal))
  await readSamples(checkClient, environment)
  const probeContext: ProbeContext = {
    talk: checkClient,
    environment,
    service: requireServiceAddress(environment),
    settingPrefix: env().embedded ? 'EMBEDDED_SANDBOX' : `SERVICE_${environment.toUpperCase()}`,
    now: startedAt.getTime(),
    account: await checkAccountHeader(checkClient, environment),
  }
  const isNothingRead =
    checkClient.stopped !== null && checkClient.reads.every(({ parsed }) => parsed === null)
  const toNotTriedFinding = (label: string) => ({
    label,
    ...reportUnknown('not tried: nothing could be read'),
  })
  const settingFindings = isNothingRead
    ? Object.keys(settingProbes).map(toNotTriedFinding)
    : await runProbes(settingProbes, probeContext)
  return {
    environment,
    started_at: startedAt.toISOString(),
    took_ms: Math.round(performance.now() - begin),
    calls: checkClient.calls,
    stopped: checkClient.stopped,
    groups: [
      { title: 'Connection', findings: await runProbes(connectionProbes, probeContext) },
      { title: 'Key', findings: await runProbes(keyProbes, probeContext) },
      {
        title: 'Settings',
        findings: [...settingFindings, ...(await runProbes(webhookProbes, probeContext))],
      },
      { title: 'Operations', findings: listOperationFindings(checkClient) },
    ],
  }
}
