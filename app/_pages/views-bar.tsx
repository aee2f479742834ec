import { SavedViews } from '@/components/kits/list/saved-views'
import type { Desk } from '@/lib/operations/desk'
import { viewsOf } from '@/lib/server/saved-views'
import { currentActor } from '@/lib/server/session'

/** The saved views of a list, read on the server, so that nothing moves when they come. A store that fails takes only this line with it. */
export async function ViewsBar({ desk, list }: { desk: Desk; list: string }) {
  const actor = await currentActor()
  const views = actor ? await viewsOf(actor, desk.environment, list).catch(() => null) : []
  return <SavedViews list={list} views={views ?? []} failed={views === null} />
}
