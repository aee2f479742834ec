import { PageSkeleton } from '@/components/shell/page-skeleton'

/** Of every page whose shape is a list, a record or a form; the others bring their own. */
const Loading = () => <PageSkeleton />

export default Loading
