# SPDX-License-Identifier: Apache-2.0
#
# Hadoop's commands read this file: 'hdfs foresight COMMAND' runs bin/foresight of the release that this file belongs to.
# Link it, so that it finds its release:
#   ln -s /opt/foresight/conf/shellprofile.d/foresight.sh $HADOOP_CONF_DIR/shellprofile.d/
# A copy needs the release's folder in FORESIGHT_HOME, in hadoop-env.sh.

if [[ "${HADOOP_SHELL_EXECNAME}" = hdfs ]]; then
  hadoop_add_subcommand "foresight" admin "check, install and observe Foresight's read-ahead"
fi

function hdfs_subcommand_foresight
{
  local home
  home=${FORESIGHT_HOME:-$(cd -P "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." && pwd)}
  if [[ ! -x "${home}/bin/foresight" ]]; then
    hadoop_error "ERROR: ${home}/bin/foresight is missing; set FORESIGHT_HOME in hadoop-env.sh to the release's folder"
    exit 1
  fi
  # bin/foresight asks 'hadoop' for the class path, and for the configuration of this command.
  PATH="${HADOOP_HOME}/bin:${PATH}" HADOOP_CONF_DIR="${HADOOP_CONF_DIR}" exec "${home}/bin/foresight" "$@"
}
