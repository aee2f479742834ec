import { ListSkeleton } from '@/components/kits/list/list-skeleton'

const Loading = () => <ListSkeleton title="Activity" />

export default Loading
