import 'server-only'
import { AppError } from '@/lib/errors'
import type { Runs } from '@/lib/server/http/desk-call'
import { exportAudit } from './export'
import { auditPage, readableBy } from './rows'
import { walkAudit } from './verify'

/** The record of what was done and refused. */
export const auditRuns: Runs<'audit.read' | 'audit.verify' | 'audit.export'> = {
  'audit.read': async ({ actor, environment, input: { before, after, ...filter } }) => ({
    data: (await auditPage(readableBy(actor, environment), filter, { ...(before ? { before } : {}), ...(after ? { after } : {}) })).rows,
  }),
  'audit.verify': async ({ actor, environment, input }) => {
    // It tells of rows of every account and environment whether they hold, and how many there are.
    if (readableBy(actor, environment).accounts !== null) {
      throw new AppError('forbidden', 'Only a reviewer or an admin of the whole platform can verify the audit.')
    }
    return { data: await walkAudit(actor, input.after) }
  },
  'audit.export': ({ actor, environment, requestId, input: { whole, ...filter } }) =>
    exportAudit({ actor, readable: readableBy(actor, environment), filter, whole: whole === 'yes', requestId }),
}
