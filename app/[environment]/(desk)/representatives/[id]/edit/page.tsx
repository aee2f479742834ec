import type { Metadata } from 'next'
import { type FormPageProps, formPage } from '@/app/_pages/form-page'
import { EditRepresentative } from '@/components/representatives/edit-representative'

export const metadata: Metadata = { title: 'Edit representative' }

const page = (props: FormPageProps) =>
  formPage(props, {
    path: (id) => `/representatives/${id}/edit`,
    many: 'representatives',
    draw: (_desk, id) => <EditRepresentative id={id} />,
  })

export default page
