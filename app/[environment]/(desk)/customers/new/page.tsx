import type { Metadata } from 'next'
import { NewCustomer } from '@/components/customers/customer-pages'
import { DeskProvider } from '@/components/kits/layout/desk-context'
import { ChooseAccount } from '@/components/kits/record/choose-account'
import { newPath } from '@/lib/routes'
import { openDesk } from '@/lib/server/desk'

export const metadata: Metadata = { title: 'New customer' }

type Props = { params: Promise<{ environment: string }>; searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function NewCustomerPage({ params, searchParams }: Props) {
  const [{ environment }, search] = await Promise.all([params, searchParams])
  const desk = await openDesk(environment, search, newPath(environment, 'customers', search))
  if (desk.needsAccount || desk.denied !== null) {
    return <ChooseAccount desk={desk} path={newPath('', 'customers').slice(1)} many="customers" />
  }
  return (
    <DeskProvider desk={desk}>
      <NewCustomer />
    </DeskProvider>
  )
}
