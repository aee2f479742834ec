import 'server-only'
import { type WorkRead, type WorkRow, workRows } from '@/lib/domain/work'
import type { ActionView } from '@/lib/operations/answer'
import type { Desk } from '@/lib/operations/desk'
import { rowOf } from '@/lib/operations/rows'
import { activityPath, targetPath } from '@/lib/routes'
import { openActions } from './action-list'
import { currentActor } from './session'
import { oldestOf } from './work-rows'

const states: Partial<Record<ActionView['state'], string>> = {
  sending: 'On its way for more than a minute',
  unknown: 'Outcome unknown, checked again under the same key',
  needs_human: 'A person has to decide the outcome',
}

/** The page of what an action was about; the list of actions where it has none. */
const hrefOf = (desk: Desk, action: ActionView): string =>
  targetPath(desk.environment, action.target, { account: desk.account ?? action.account }) ??
  activityPath(desk.environment, { account: desk.account, tab: 'unknown' })

const actionRow = (desk: Desk, action: ActionView): WorkRow => ({
  key: `actions/${action.id}`,
  href: hrefOf(desk, action),
  title: rowOf(action.operation).does.replace(/^./, (first) => first.toUpperCase()),
  ...(action.target ? { tail: `…${action.target.slice(-6)}` } : {}),
  line: `${states[action.state] ?? action.state} · by ${action.own ? 'you' : action.actor}`,
  since: action.created_at,
  account: desk.account === null ? action.account : undefined,
})

/** Actions of which nobody knows yet whether they took effect, the oldest first. They are ours, so no call to the service is made. */
export async function outcomesGroup(desk: Desk): Promise<WorkRead> {
  const actor = await currentActor()
  const open = actor ? await openActions(desk.environment, actor) : []
  const here = desk.account === null ? open : open.filter(({ account }) => account === desk.account)
  return {
    ok: true,
    group: {
      ...{ id: 'outcomes', total: here.length, atLeast: false, readAt: new Date().toISOString() },
      rows: here.slice(0, workRows).map((action) => actionRow(desk, action)),
      oldest: oldestOf(here.map((action) => action.created_at)),
      href: activityPath(desk.environment, { account: desk.account, tab: 'unknown' }),
    },
  }
}
