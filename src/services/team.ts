import { passageSettings } from '../platform/settings.ts';
import { TeamFollower } from '../features/team/editor/team-follower.ts';
import { Teams } from '../features/team/editor/teams.ts';
import { roots } from '../platform/workspace-files.ts';
import type { Platform } from './platform.ts';

/** Team notebooks. */
export interface TeamServices {
  readonly teams: Teams;
  readonly following: TeamFollower;
}

/** Creates the services for team notebooks. Their process starts with its first use. */
export function createTeamServices({
  notebooks,
  secrets,
  subscriptions,
  distPath,
  log,
}: Platform): TeamServices {
  const path = distPath('team-worker.cjs');
  const teams = new Teams(secrets, notebooks, { path, log });
  const following = new TeamFollower({ notebooks, teams, path, passageSettings, roots, log });
  subscriptions.push(teams, following);
  return { teams, following };
}
