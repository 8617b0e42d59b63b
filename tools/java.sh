# shellcheck shell=bash
# Finds the Java to run and to build with. To be sourced; needs a function `die` that says its
# arguments and ends the script.
#
# HEADGATE_JAVA_HOME  the Java to run with; default: the newest that is found

readonly OLDEST_JAVA=17
readonly NEWEST_BUILD_JAVA=25 # what the compiler's checks are known to work with
readonly OLDEST_MAVEN=3.8

# The feature version of a Java home, such as 17; nothing if it is none. Reads the release file,
# because asking Java itself would start it.
java_version() {
  local line
  [[ -x $1/bin/java && -r $1/release ]] || return 0
  while IFS= read -r line; do
    if [[ $line =~ ^JAVA_VERSION=\"(1\.)?([0-9]+) ]]; then
      echo "${BASH_REMATCH[2]}"
      return 0
    fi
  done <"$1/release"
}

java_homes() {
  local java
  [[ -z ${JAVA_HOME:-} ]] || echo "$JAVA_HOME"
  if java=$(command -v java) && java=$(readlink -f "$java"); then
    dirname "$(dirname "$java")"
  fi
  local home
  for home in /usr/lib/jvm/* /opt/java/* /Library/Java/JavaVirtualMachines/*/Contents/Home \
    "${HOME:-/}"/.sdkman/candidates/java/* "${HOME:-/}"/.jdks/*; do
    [[ ! -d $home ]] || echo "$home"
  done
}

# Sets RUN_HOME to the newest Java and BUILD_HOME to the newest JDK that the build works with.
find_java() {
  local home version run_version=0 build_version=0
  RUN_HOME='' BUILD_HOME=''
  while IFS= read -r home; do
    version=$(java_version "$home")
    [[ -n $version && $version -ge $OLDEST_JAVA ]] || continue
    if ((version > run_version)); then
      RUN_HOME=$home run_version=$version
    fi
    if [[ -x $home/bin/javac ]] && ((version <= NEWEST_BUILD_JAVA && version > build_version)); then
      BUILD_HOME=$home build_version=$version
    fi
  done < <(java_homes)
  if [[ -n ${HEADGATE_JAVA_HOME:-} ]]; then
    RUN_HOME=$HEADGATE_JAVA_HOME
    run_version=$(java_version "$RUN_HOME")
    [[ -n $run_version && $run_version -ge $OLDEST_JAVA ]] ||
      die "HEADGATE_JAVA_HOME: '$RUN_HOME' (expected: a Java home of version $OLDEST_JAVA or newer)"
  fi
  RUN_VERSION=$run_version
  [[ -n $RUN_HOME ]] || die "$(need_tools "no Java $OLDEST_JAVA or newer was found")"
}

need_tools() {
  echo "$1 (needed: a JDK of version $OLDEST_JAVA or newer, and Maven $OLDEST_MAVEN or newer)."
  if command -v apt-get >/dev/null; then
    echo "Install them with: apt-get update && apt-get install -y openjdk-$OLDEST_JAVA-jdk-headless maven"
  elif command -v dnf >/dev/null; then
    echo "Install them with: dnf install -y java-$OLDEST_JAVA-openjdk-devel maven"
  elif command -v brew >/dev/null; then
    echo "Install them with: brew install openjdk@$OLDEST_JAVA maven"
  fi
}

check_build_tools() {
  [[ -n $BUILD_HOME ]] ||
    die "$(need_tools "no JDK of version $OLDEST_JAVA to $NEWEST_BUILD_JAVA was found to build with")"
  command -v mvn >/dev/null || die "$(need_tools "Maven was not found")"
  local version
  version=$(JAVA_HOME=$BUILD_HOME mvn -v 2>/dev/null | sed -n 's/.*Apache Maven \([0-9.]*\).*/\1/p' | head -n 1)
  [[ $(printf '%s\n' "$OLDEST_MAVEN" "${version:-0}" | sort -V | head -n 1) == "$OLDEST_MAVEN" ]] ||
    die "$(need_tools "Maven ${version:-of an unknown version} is too old")"
}
