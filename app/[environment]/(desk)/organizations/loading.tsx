import { ListSkeleton } from '@/components/kits/list/list-skeleton'

const Loading = () => <ListSkeleton title="Organizations" />

export default Loading
