import type { Metadata } from 'next'
import { type FormPageProps, formPage } from '@/app/_pages/form-page'
import { NewRepresentative } from '@/components/representatives/new-representative'

export const metadata: Metadata = { title: 'New representative' }

const page = (props: FormPageProps) =>
  formPage(props, { path: () => '/representatives/new', many: 'representatives', draw: () => <NewRepresentative /> })

export default page
