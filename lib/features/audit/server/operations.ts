import 'server-only'
import { AppError } from '@/lib/errors'
import type { DeskOperationHandlers } from '@/lib/server/http/desk-call'
import { exportAudit } from './export'
import { findAuditReadScope, readAuditPage } from './rows'
import { verifyNextAuditRows } from './verify'

export const auditHandlers: DeskOperationHandlers<'audit.read' | 'audit.verify' | 'audit.export'> =
  {
    'audit.read': async ({ actor, environment, input: { before, after, ...filter } }) => ({
      data: (
        await readAuditPage(findAuditReadScope(actor, environment), filter, {
          ...(before ? { before } : {}),
          ...(after ? { after } : {}),
        })
      ).rows,
    }),
    'audit.verify': async ({ actor, environment, input }) => {
      // The result counts the rows of all accounts and environments, so it needs platform access.
      if (findAuditReadScope(actor, environment).accounts !== null) {
        throw new AppError(
          'forbidden',
          'Only a reviewer or an admin of the whole platform can verify the audit.',
        )
      }
      return { data: await verifyNextAuditRows(actor, input.after) }
    },
    'audit.export': ({ actor, environment, requestId, input: { whole, ...filter } }) =>
      exportAudit({
        actor,
        readable: findAuditReadScope(actor, environment),
        filter,
        whole: whole === 'yes',
        requestId,
      }),
  }
