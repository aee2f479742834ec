import 'server-only'
import { inArray } from 'drizzle-orm'
import { formatRoles } from '@/lib/domain/permissions'
import { AppError } from '@/lib/errors'
import { listOperationChoices } from '@/lib/features/audit/labels'
import { type AuditFilter, auditFilter } from '@/lib/operations/audit.schema'
import { reviewRoles } from '@/lib/operations/define'
import { operationIds } from '@/lib/operations/operations'
import type { PageContext } from '@/lib/operations/page-context'
import { recordRefusal } from '@/lib/server/audit/refusals'
import type { Actor } from '@/lib/server/auth/session-rows'
import { addAllAccounts } from '@/lib/server/http/account-choices'
import { people } from '@/lib/server/store/schema/people'
import { getDatabase } from '@/lib/server/store/store'
import { findDecisionEvidence } from './decision'
import {
  type AuditReadScope,
  canReadWholeAudit,
  findAuditReadScope,
  readAuditPage,
  readAuditRow,
} from './rows'

type SearchParams = Readonly<Record<string, string | string[] | undefined>>

async function requireAuditReader(
  actor: Actor,
  { environment }: PageContext,
): Promise<AuditReadScope> {
  const auditReadScope = findAuditReadScope(actor, environment)
  if (auditReadScope.accounts?.length !== 0) return auditReadScope
  const error = new AppError('forbidden', `Only ${formatRoles(reviewRoles)} can read the audit.`)
  await recordRefusal(error, { name: 'audit.read', actor, environment })
  throw error
}

/** `given` has all filters as text, `filter` the valid ones, `errors` a message per invalid one. */
function parseUrlFilter(searchParams: SearchParams) {
  const filterNames = Object.keys(auditFilter.shape)
  const urlFilters = Object.fromEntries(
    Object.entries(searchParams).flatMap(([name, value]) =>
      filterNames.includes(name) && typeof value === 'string' && value !== ''
        ? [[name, value.trim()]]
        : [],
    ),
  ) as Record<string, string>
  // The form always sends the zone, which is not a filter by itself.
  if (!urlFilters.from && !urlFilters.to) delete urlFilters.zone
  const parseResult = auditFilter.safeParse(urlFilters)
  if (parseResult.success) return { given: urlFilters, errors: {}, filter: parseResult.data }
  const filterErrors = Object.fromEntries(
    parseResult.error.issues.map(({ path, message }) => [String(path[0]), message]),
  )
  const validFilters = Object.fromEntries(
    Object.entries(urlFilters).filter(([name]) => !(name in filterErrors)),
  )
  return {
    given: urlFilters,
    errors: filterErrors,
    filter: auditFilter.parse(validFilters) satisfies AuditFilter,
  }
}

const parseRowNumber = (value: SearchParams[string]): number | undefined =>
  typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : undefined

const compareLabels = (one: { label: string }, other: { label: string }) =>
  one.label.localeCompare(other.label, 'en')

/** A person who may read only single accounts gets only the people of the rows on the page. */
async function listPeopleChoices(ids: readonly string[] | null) {
  const db = await getDatabase()
  const peopleRows = await db
    .select({ value: people.id, label: people.name })
    .from(people)
    .where(ids ? inArray(people.id, [...ids]) : undefined)
  return peopleRows.sort(compareLabels)
}

/** Throws `forbidden` if the person may not read the audit. */
export async function loadAuditView(
  actor: Actor,
  context: PageContext,
  searchParams: SearchParams,
) {
  const auditScope = await requireAuditReader(actor, context)
  const { given, errors, filter } = parseUrlFilter(searchParams)
  const [before, after] = [parseRowNumber(searchParams.before), parseRowNumber(searchParams.after)]
  const auditPage = await readAuditPage(auditScope, filter, {
    ...(before ? { before } : {}),
    ...(after !== undefined ? { after } : {}),
  })
  const { accounts } = await addAllAccounts(context)
  const actorIds = [...new Set(auditPage.rows.flatMap((row) => row.actor?.id ?? []))].filter((id) =>
    /^[0-9a-f-]{36}$/.test(id),
  )
  return {
    ...auditPage,
    given,
    errors,
    choices: {
      people: await listPeopleChoices(auditScope.accounts ? actorIds : null),
      asked: listOperationChoices(operationIds),
      accounts: accounts
        .map(({ id, name }) => ({ value: id, label: name ?? id }))
        .sort(compareLabels),
    },
    whyNotVerify: auditScope.accounts
      ? 'Only a reviewer or an admin of the whole platform can verify.'
      : null,
    mayExportAll: canReadWholeAudit(actor),
  }
}

/** Throws `forbidden`, and `not_found` if the row does not exist or is not readable. */
export async function loadAuditEntry(actor: Actor, context: PageContext, seq: number) {
  const readScope = await requireAuditReader(actor, context)
  const auditDetail = await readAuditRow(readScope, seq)
  const { action } = auditDetail.row
  return {
    detail: auditDetail,
    decided: action
      ? await findDecisionEvidence(action, { actor, environment: context.environment })
      : null,
  }
}
