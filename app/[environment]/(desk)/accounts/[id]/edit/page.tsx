import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import type { RecordPageProps } from '@/app/_pages/record-page'
import { editAccountPath } from '@/components/accounts/account-paths'
import { EditAccount } from '@/components/accounts/edit-account'
import { DeskProvider } from '@/components/kits/layout/desk-context'
import { openDesk } from '@/lib/server/desk'
import { load } from '@/lib/server/read'

export const metadata: Metadata = { title: 'Edit account' }

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

async function page(props: RecordPageProps) {
  const [{ environment, id: given }, search] = await Promise.all([props.params, props.searchParams])
  const id = given.toLowerCase()
  if (!uuid.test(id)) notFound()
  // The account of the page is the scope: whoever may edit it may open it here, whatever scope the link came with.
  const desk = await openDesk(environment, { ...search, account: `acct_${id}` }, editAccountPath(environment, id))
  const read = await load(desk, 'accounts.get', { id })
  const initial = read.ok
    ? { initial: { data: read.data, meta: read.meta, replayed: false } }
    : { initialError: { error: read.error, requestId: read.requestId } }
  return (
    <DeskProvider desk={desk}>
      <EditAccount id={id} {...initial} />
    </DeskProvider>
  )
}

export default page
