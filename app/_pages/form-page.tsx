import { notFound } from 'next/navigation'
import type { ReactNode } from 'react'
import { DeskProvider } from '@/components/kits/layout/desk-context'
import { ChooseAccount } from '@/components/kits/record/choose-account'
import type { Environment } from '@/lib/operations/define'
import type { Desk } from '@/lib/operations/desk'
import { deskPath } from '@/lib/routes'
import { openDesk } from '@/lib/server/desk'

type Search = Record<string, string | string[] | undefined>

/** What Next gives the page of a form. */
export type FormPageProps = {
  params: Promise<{ environment: string; id?: string }>
  searchParams: Promise<Search>
}

type FormPageSpec = {
  /** The page's own path below the environment; `id` is empty for a form that makes something. */
  path: (id: string) => string
  /** What the page is about, in the plural, for a person who has to choose an account first. */
  many: string
  /** The page exists in this environment only; elsewhere nothing is there. */
  only?: Environment
  /** The account the id itself names. It is the page's scope then, whatever scope the link came with. */
  accountOf?: (id: string) => string
  draw: (desk: Desk, id: string, search: Search) => ReactNode
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The whole page of a form: opens the desk, asks for an account where a person has none yet, and draws the form. */
export async function formPage(props: FormPageProps, { path, many, only, accountOf, draw }: FormPageSpec) {
  const [{ environment, id: given = '' }, named] = await Promise.all([props.params, props.searchParams])
  const id = given.toLowerCase()
  const search = accountOf && uuid.test(id) ? { ...named, account: accountOf(id) } : named
  const own = path(encodeURIComponent(id))
  const desk = await openDesk(environment, search, deskPath(environment, own, search))
  if ((id !== '' && !uuid.test(id)) || (only && only !== desk.environment)) notFound()
  if (desk.needsAccount || desk.denied !== null) return <ChooseAccount desk={desk} path={own} many={many} />
  return <DeskProvider desk={desk}>{draw(desk, id, search)}</DeskProvider>
}
