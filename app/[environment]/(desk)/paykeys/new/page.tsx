import { redirect } from 'next/navigation'
import { connectPath } from '@/lib/routes'

type Props = {
  params: Promise<{ environment: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

/** A paykey is made by connecting a bank account, which has a page of its own. */
async function page({ params, searchParams }: Props) {
  const [{ environment }, search] = await Promise.all([params, searchParams])
  redirect(connectPath(environment, search))
}

export default page
