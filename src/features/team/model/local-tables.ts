/** Tables of a local notebook with what is known about its team notebook. */
export const TEAM_TABLES = [
  ...['team', 'team_awaited', 'team_brought', 'team_deeds', 'team_documents'],
  ...['team_notes', 'team_outbox', 'team_places', 'team_private_marks', 'team_shared_files', 'team_things'],
];
