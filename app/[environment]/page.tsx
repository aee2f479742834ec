import { redirect } from 'next/navigation'
import { payoutsPath } from '@/lib/routes'

type Props = { params: Promise<{ environment: string }> }

/** An environment alone opens on its payouts, which say so if it does not exist. */
export default async function EnvironmentPage({ params }: Props) {
  redirect(payoutsPath((await params).environment))
}
