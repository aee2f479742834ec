import type { Metadata } from 'next'
import type { ListPageProps } from '@/app/_pages/list-page'
import { NewAccount } from '@/components/accounts/new-account'
import { DeskProvider } from '@/components/kits/layout/desk-context'
import { newPath } from '@/lib/routes'
import { openDesk } from '@/lib/server/desk'

export const metadata: Metadata = { title: 'New account' }

async function page(props: ListPageProps) {
  const [{ environment }, search] = await Promise.all([props.params, props.searchParams])
  const desk = await openDesk(environment, search, newPath(environment, 'accounts', search))
  const { organization } = search
  return (
    <DeskProvider desk={desk}>
      <NewAccount organization={typeof organization === 'string' ? organization : null} />
    </DeskProvider>
  )
}

export default page
